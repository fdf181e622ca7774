//! What a mode reads beside the board, so that the store loads no more than that.

/// How many rows of each kind a mode shows at most, 0 for none, and which facts it prints.
///
/// Every mode reads the project, its session, the board, open gates, artifact checks, completion criteria and the
/// events of the timeline that stands in its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Needs {
    pub decisions: usize,
    pub notes: usize,
    pub tasks: usize,
    pub sessions: usize,
    /// Of the workspace's decisions, and as many of its notes.
    pub workspace: usize,
    pub events: usize,
    /// The tenant's `handoff_template`.
    pub template: bool,
    /// From when on something counts as news.
    pub since: bool,
    pub activity: Option<ActivityScope>,
    pub revision_counter: bool,
}

/// Whose activity the session span tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActivityScope {
    /// The session of the call; without one, the project.
    Session,
    Project,
}

impl Needs {
    /// Nothing beside the board.
    pub const NOTHING: Self = Self {
        decisions: 0,
        notes: 0,
        tasks: 0,
        sessions: 0,
        workspace: 0,
        events: 0,
        template: false,
        since: false,
        activity: None,
        revision_counter: false,
    };

    /// The board and the timeline alone.
    pub const BOARD: Self = Self {
        events: super::timeline::EVENT_CAP,
        ..Self::NOTHING
    };
}
