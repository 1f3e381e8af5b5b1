//! Finding the name that was meant.

/// The one candidate that is `wanted`, or failing that the only one that differs from it in
/// nothing but upper and lower case and white space.
pub(crate) fn find<'a, T>(
    wanted: &str,
    candidates: impl Iterator<Item = (&'a str, T)> + Clone,
) -> Option<Found<T>> {
    if let Some((_, item)) = candidates.clone().find(|(name, _)| *name == wanted) {
        return Some(Found::Exactly(item));
    }
    let loose = loosened(wanted);
    let mut alike = candidates.filter(|(name, _)| loosened(name) == loose);
    match (alike.next(), alike.next()) {
        (Some((_, item)), None) => Some(Found::Loosely(item)),
        _ => None,
    }
}

/// How a name was found.
pub(crate) enum Found<T> {
    /// Letter by letter.
    Exactly(T),
    /// Apart from case and white space.
    Loosely(T),
}

impl<T> Found<T> {
    /// What was found, either way.
    pub(crate) fn item(self) -> T {
        match self {
            Found::Exactly(item) | Found::Loosely(item) => item,
        }
    }
}

/// The candidate most like `wanted` (by Jaro and Winkler's measure, the first among equals), if any
/// is at all like it.
pub(crate) fn nearest<'a>(wanted: &str, candidates: impl Iterator<Item = &'a str>) -> Option<String> {
    const ALIKE: f64 = 0.75;
    let loose = loosened(wanted);
    let mut best: Option<(f64, &str)> = None;
    for name in candidates {
        let likeness = strsim::jaro_winkler(&loose, &loosened(name));
        if likeness >= ALIKE && best.is_none_or(|(most, _)| likeness > most) {
            best = Some((likeness, name));
        }
    }
    best.map(|(_, name)| name.to_owned())
}

fn loosened(name: &str) -> String {
    name.chars()
        .filter(|letter| !letter.is_whitespace())
        .flat_map(char::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(wanted: &str, names: &[&'static str]) -> Option<usize> {
        let numbered = names.iter().enumerate().map(|(index, name)| (*name, index));
        find(wanted, numbered).map(Found::item)
    }

    #[test]
    fn case_and_space_are_a_second_try() {
        assert_eq!(found("Zoë", &["zoë", "Zoë"]), Some(1));
        assert_eq!(found("zoë  o'neill", &["林 秋", "Zoë O'Neill"]), Some(1));
        assert_eq!(found("ZOË", &["zoë", "Zoë"]), None, "two would do");
        assert_eq!(found("Zoe", &["Zoë"]), None);
    }

    #[test]
    fn the_nearest_is_like_it_or_nothing() {
        let town = ["Abigail Chen", "Hailey Johnson", "林 秋"];
        assert_eq!(
            nearest("Abigail Chan", town.into_iter()).as_deref(),
            Some("Abigail Chen")
        );
        assert_eq!(nearest("林秋", town.into_iter()).as_deref(), Some("林 秋"));
        assert_eq!(nearest("???", town.into_iter()), None);
        assert_eq!(nearest("", std::iter::empty()), None);
    }
}
