//! SQL types that pgrx has no counterpart of.

use pgrx::callconv::{Arg, ArgAbi, BoxRet, FcInfo};
use pgrx::pg_sys::{self, Oid};
use pgrx::pgrx_sql_entity_graph::metadata::{
    ArgumentError, ReturnsError, ReturnsRef, SqlMappingRef, SqlTranslatable, TypeOrigin,
};
use pgrx::{FromDatum, IntoDatum};

/// `regrole`: a role by its object id, which may name none.
#[derive(Debug, Clone, Copy)]
pub struct RegRole(pub Oid);

impl FromDatum for RegRole {
    unsafe fn from_polymorphic_datum(
        datum: pg_sys::Datum,
        is_null: bool,
        type_oid: Oid,
    ) -> Option<Self> {
        // SAFETY: a regrole is passed as the oid it is.
        unsafe { Oid::from_polymorphic_datum(datum, is_null, type_oid) }.map(Self)
    }
}

// SAFETY: as for the oid that it is; NULL comes as `Option`.
unsafe impl<'fcx> ArgAbi<'fcx> for RegRole {
    unsafe fn unbox_arg_unchecked(arg: Arg<'_, 'fcx>) -> Self {
        unsafe { arg.unbox_arg_using_from_datum() }.unwrap_or(Self(pg_sys::InvalidOid))
    }
}

// SAFETY: `regrole` is the SQL type of what `from_polymorphic_datum` reads.
unsafe impl SqlTranslatable for RegRole {
    const TYPE_IDENT: &'static str = pgrx::pgrx_resolved_type!(RegRole);
    const TYPE_ORIGIN: TypeOrigin = TypeOrigin::External;
    const ARGUMENT_SQL: Result<SqlMappingRef, ArgumentError> =
        Ok(SqlMappingRef::literal("regrole"));
    const RETURN_SQL: Result<ReturnsRef, ReturnsError> =
        Ok(ReturnsRef::One(SqlMappingRef::literal("regrole")));
}

/// `name`: an identifier of at most 63 bytes, which is what fits; more is cut off.
#[derive(Debug, Clone)]
pub struct Name(pub String);

impl IntoDatum for Name {
    fn into_datum(self) -> Option<pg_sys::Datum> {
        const CAPACITY: usize = pg_sys::NAMEDATALEN as usize;
        let ends = self.0.char_indices().map(|(at, c)| at + c.len_utf8());
        let length = ends.take_while(|end| *end < CAPACITY).last().unwrap_or(0);
        // SAFETY: a name is this many bytes, with zeros after the text.
        unsafe {
            let name = pg_sys::palloc0(CAPACITY).cast::<u8>();
            name.copy_from_nonoverlapping(self.0.as_ptr(), length);
            Some(pg_sys::Datum::from(name))
        }
    }

    fn type_oid() -> Oid {
        pg_sys::NAMEOID
    }
}

// SAFETY: gives the datum that `into_datum` made.
unsafe impl BoxRet for Name {
    unsafe fn box_into<'fcx>(self, fcinfo: &mut FcInfo<'fcx>) -> pgrx::datum::Datum<'fcx> {
        match self.into_datum() {
            Some(datum) => unsafe { fcinfo.return_raw_datum(datum) },
            None => fcinfo.return_null(),
        }
    }
}

// SAFETY: `name` is the SQL type of what `into_datum` makes.
unsafe impl SqlTranslatable for Name {
    const TYPE_IDENT: &'static str = pgrx::pgrx_resolved_type!(Name);
    const TYPE_ORIGIN: TypeOrigin = TypeOrigin::External;
    const ARGUMENT_SQL: Result<SqlMappingRef, ArgumentError> = Ok(SqlMappingRef::literal("name"));
    const RETURN_SQL: Result<ReturnsRef, ReturnsError> =
        Ok(ReturnsRef::One(SqlMappingRef::literal("name")));
}
