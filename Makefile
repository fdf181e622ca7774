# The verbs that PostgreSQL people try first. The work is done in scripts/; cargo decides what is out of date.
#
#   PG_CONFIG=…   which PostgreSQL (default: 15 as Debian installs it, else the pg_config on the PATH)
#   DESTDIR=…     for packagers, with `make install`

PG_CONFIG ?= $(firstword $(wildcard /usr/lib/postgresql/15/bin/pg_config) pg_config)
export PG_CONFIG

REGRESS = $(sort $(basename $(notdir $(wildcard tests/regress/sql/*.sql))))
PG_REGRESS = $(dir $(shell $(PG_CONFIG) --pgxs))../test/regress/pg_regress
# Databases that `installcheck` drops and makes anew on the server it is pointed at.
REGRESS_DATABASE ?= contrib_regression_meridian_handoff

.DEFAULT_GOAL := help
.PHONY: help all install installcheck demo test check bench clean

help: ## this list
	@sed -n 's/^\([a-z]*\):[^#]*## /\1 /p' $(MAKEFILE_LIST) | while read -r verb text; do printf '%-14s%s\n' "$$verb" "$$text"; done

all: install

install: ## build and copy the extension into the PostgreSQL of PG_CONFIG
	scripts/install

installcheck: ## the regression tests against the running server that PGHOST, PGPORT and PGUSER name
	@mkdir -p target/regress
	$(PG_REGRESS) --bindir='$(shell $(PG_CONFIG) --bindir)' --dbname=$(REGRESS_DATABASE) --encoding=UTF8 \
		--load-extension=meridian_handoff --inputdir=tests/regress --outputdir=target/regress $(REGRESS)

demo: ## the extension at work on a private throwaway cluster
	scripts/demo

test: ## every ring of tests
	scripts/test

check: test

bench: ## what is measured, on a private throwaway cluster
	scripts/bench

clean: ## remove what cargo built
	cargo clean
