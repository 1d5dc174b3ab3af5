//! A recorded stretch of a real Slurm, read and judged.

mod short_stretch;
