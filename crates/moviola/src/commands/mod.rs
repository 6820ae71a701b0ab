//! One file a subcommand: its options, its examples, and the little that is between it and the libraries.

pub(crate) mod audit;
pub(crate) mod camera;
pub(crate) mod check;
pub(crate) mod compile;
pub(crate) mod cut;
pub(crate) mod decompile;
pub(crate) mod diff;
pub(crate) mod events;
pub(crate) mod explain;
pub(crate) mod export;
pub(crate) mod fmt;
pub(crate) mod highlights;
pub(crate) mod info;
pub(crate) mod join;
pub(crate) mod lmpc;
pub(crate) mod plot;
pub(crate) mod repair;
pub(crate) mod report;
pub(crate) mod set;
pub(crate) mod split;
pub(crate) mod squeeze;
pub(crate) mod strip;
pub(crate) mod subtitle;
pub(crate) mod unpack;
pub(crate) mod view;
