//! The statements of a block that are not messages.

use crate::address::{Address, Container};
use crate::scan::Span;

/// The statements of a block that describe the block itself.
#[derive(Clone, Copy, Default)]
pub(crate) struct Body {
    pub(crate) camera: Option<[u32; 3]>,
    /// The kind of the QuakeWorld block, and the values of the statements for its head.
    pub(crate) container: Option<Container>,
    pub(crate) address: Address,
    pub(crate) length: Option<i32>,
    pub(crate) from_client: bool,
    pub(crate) unicast: Option<u8>,
    pub(crate) unicast_at: Span,
    pub(crate) length_at: Span,
    /// Whether one of its statements has a mistake.
    pub(crate) mistaken: bool,
}
