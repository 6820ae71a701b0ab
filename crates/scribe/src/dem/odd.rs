use crate::Sample;

pub(super) fn samples() -> Vec<Sample> {
    Vec::new()
}
