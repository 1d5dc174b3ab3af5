//! sacct's columns: their names, and what may stand in them.
//!
//! For: knowing a column by its name, and a misplaced value by its form.
//!
//! Not for: values ([`super::value`]).
//!
//! Source: `sacct --helpformat` of 22.05 (109 columns) and 26.05 (123). Columns not listed here may hold any text, like
//! those of versions to come.

use super::value;

/// What may stand in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    JobId,
    /// Digits, or nothing.
    Count,
    Time,
    /// `[days-]hours:minutes:seconds`, or nothing.
    Duration,
    /// Minutes, a duration or a word.
    Limit,
    State,
    ExitCode,
    Tres,
    /// Text that has neither delimiters nor line breaks by Slurm's own rules.
    Word,
    /// Any text at all.
    Text,
    /// Nothing: what stands behind the last delimiter of `sacct -p`.
    Nothing,
}

macro_rules! columns {
    ($($variant:ident $name:literal $form:ident),* $(,)?) => {
        /// A column that is read. The rest are passed over.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Column {
            $(#[doc = concat!("`", $name, "`.")] $variant,)*
        }

        impl Column {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// sacct's name for it.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            pub(super) fn form(self) -> Form {
                match self { $(Self::$variant => Form::$form,)* }
            }
        }
    };
}

columns! {
    JobIdRaw "JobIDRaw" JobId,
    JobId "JobID" JobId,
    JobName "JobName" Text,
    User "User" Word,
    UserId "UID" Count,
    Account "Account" Word,
    Cluster "Cluster" Word,
    Partition "Partition" Word,
    Qos "QOS" Word,
    State "State" State,
    ExitCode "ExitCode" ExitCode,
    Submit "Submit" Time,
    Eligible "Eligible" Time,
    Start "Start" Time,
    End "End" Time,
    Elapsed "Elapsed" Duration,
    ElapsedRaw "ElapsedRaw" Count,
    Timelimit "Timelimit" Limit,
    TimelimitRaw "TimelimitRaw" Limit,
    Suspended "Suspended" Duration,
    ReqCpus "ReqCPUS" Count,
    ReqNodes "ReqNodes" Count,
    ReqMem "ReqMem" Word,
    ReqTres "ReqTRES" Tres,
    AllocCpus "AllocCPUS" Count,
    Ncpus "NCPUS" Count,
    AllocNodes "AllocNodes" Count,
    Nnodes "NNodes" Count,
    AllocTres "AllocTRES" Tres,
    NodeList "NodeList" Word,
    Priority "Priority" Count,
    // Features may be alternatives, with bars between them.
    Constraints "Constraints" Text,
    Reservation "Reservation" Word,
    Exclusive "Exclusive" Word,
    Reason "Reason" Word,
    Flags "Flags" Word,
    AdminComment "AdminComment" Text,
    Comment "Comment" Text,
    SubmitLine "SubmitLine" Text,
    Restarts "Restarts" Count,
    Sluid "SLUID" Word,
    // Of these only the form is of use.
    Group "Group" Word,
    Gid "GID" Count,
    Planned "Planned" Duration,
    Reserved "Reserved" Duration,
    QosRequested "QOSREQ" Word,
    CpuTimeRaw "CPUTimeRAW" Count,
    CpuTime "CPUTime" Duration,
    DbIndex "DBIndex" Count,
    DerivedExitCode "DerivedExitCode" ExitCode,
}

impl Column {
    /// The column of this name, in any case as sacct itself takes it.
    pub fn named(name: &[u8]) -> Option<Self> {
        Self::ALL.iter().copied().find(|column| column.name().as_bytes().eq_ignore_ascii_case(name))
    }
}

impl Form {
    /// Whether the column may hold delimiters and line breaks.
    pub(super) fn is_text(self) -> bool {
        self == Self::Text
    }

    /// Whether this could stand in such a column.
    pub(super) fn admits(self, piece: &[u8]) -> bool {
        match self {
            Self::JobId => value::is_job_id(piece),
            Self::Count => piece.iter().all(u8::is_ascii_digit),
            Self::Time => value::looks_like_time(piece),
            Self::Duration => piece.is_empty() || value::duration_seconds(piece).is_some(),
            Self::Limit => value::limit(piece).is_some(),
            Self::State => value::state(piece).is_some(),
            Self::ExitCode => piece.is_empty() || value::exit_code(piece).is_some(),
            Self::Tres => queuecast_records::Tres::parse(piece).is_some(),
            Self::Word => piece.iter().all(|&byte| byte >= 0x20),
            Self::Text => true,
            Self::Nothing => piece.is_empty(),
        }
    }
}
