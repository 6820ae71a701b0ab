//! Groups of poses, skins or sprite pictures, of which a clock selects one.

/// Several items, of which one is shown at a time.
///
/// ```
/// use moviola_assets::AnimationGroup;
/// let group = AnimationGroup { items: vec!['a', 'b', 'c'], ends: vec![0.1, 0.2, 0.5] };
/// assert_eq!((group.at(0.15), group.at(0.45), group.at(0.55)), (Some(&'b'), Some(&'c'), Some(&'a')));
/// assert_eq!(AnimationGroup { items: vec!['a'], ends: vec![] }.at(9.0), Some(&'a'));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AnimationGroup<T> {
    /// The items.
    pub items: Vec<T>,
    /// The end of each item, in seconds from the start of the first; empty for a single item.
    pub ends: Vec<f32>,
}

impl<T> AnimationGroup<T> {
    /// The item at a time.
    pub fn at(&self, time: f64) -> Option<&T> {
        let first = self.items.first()?;
        let full = f64::from(self.ends.last().copied().unwrap_or_default());
        if !(full > 0.0 && full.is_finite() && time.is_finite()) {
            return Some(first);
        }
        let time = time - full * floor(time / full);
        let found = self.ends.iter().position(|end| f64::from(*end) > time);
        self.items.get(found.unwrap_or_default()).or(Some(first))
    }
}

/// `floor` with the same result on every system.
fn floor(value: f64) -> f64 {
    let whole = value as i64 as f64;
    if whole > value { whole - 1.0 } else { whole }
}
