//! Finding a resident by what people type.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// Why a typed name is not one resident.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum WhoError {
    /// Nobody is called that.
    #[error("nobody is called \"{asked}\"{}", meant(.nearest))]
    Nobody { asked: String, nearest: Vec<String> },
    /// Several are.
    #[error("\"{asked}\" may be {}; write more of the name", .names.join(" or "))]
    Several { asked: String, names: Vec<String> },
}

fn meant(nearest: &[String]) -> String {
    match nearest {
        [] => "; `townsfolk inspect RUN places` lists everybody".to_owned(),
        names => format!("; did you mean {}?", names.join(" or ")),
    }
}

/// The position of the resident called `asked`: by full name, else by full name in any case
/// and without accents, else by a part of it, else by the beginning of either.
pub(crate) fn find(names: &[&str], asked: &str) -> Result<usize, WhoError> {
    let wanted = plain(asked);
    let matching = |fits: &dyn Fn(&str) -> bool| -> Vec<usize> {
        (0..names.len())
            .filter(|index| fits(&plain(names[*index])))
            .collect()
    };
    if let Some(index) = names.iter().position(|name| *name == asked) {
        return Ok(index);
    }
    let begins = |name: &str| name.starts_with(&wanted);
    let part = |name: &str| name.split_whitespace().any(|part| part == wanted);
    let part_begins = |name: &str| name.split_whitespace().any(|part| part.starts_with(&wanted));
    let ways: [&dyn Fn(&str) -> bool; 4] = [&|name| name == wanted, &part, &begins, &part_begins];
    for way in ways.iter().take(if wanted.is_empty() { 0 } else { 4 }) {
        match matching(*way).as_slice() {
            [] => {}
            [one] => return Ok(*one),
            several => {
                let names = several.iter().map(|index| names[*index].to_owned()).collect();
                return Err(WhoError::Several {
                    asked: asked.to_owned(),
                    names,
                });
            }
        }
    }
    Err(WhoError::Nobody {
        asked: asked.to_owned(),
        nearest: nearest(names, &wanted),
    })
}

/// One spelling for all that people may type for it: no accents, lower case, single spaces.
fn plain(name: &str) -> String {
    let bare: String = name.nfd().filter(|letter| !is_combining_mark(*letter)).collect();
    bare.to_lowercase()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

/// Up to three names that `wanted` may be a slip of, best first.
fn nearest(names: &[&str], wanted: &str) -> Vec<String> {
    let likeness = |name: &str| {
        let name = plain(name);
        let whole = strsim::jaro_winkler(&name, wanted);
        name.split_whitespace()
            .map(|part| strsim::jaro_winkler(part, wanted))
            .fold(whole, f64::max)
    };
    let mut close: Vec<(f64, &str)> = names.iter().map(|name| (likeness(name), *name)).collect();
    close.retain(|(likeness, _)| *likeness >= 0.8);
    close.sort_by(|a, b| b.0.total_cmp(&a.0));
    close
        .into_iter()
        .take(3)
        .map(|(_, name)| name.to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: &[&str] = &[
        "Zoë O'Neill-Ångström",
        "林 秋",
        "Tomas Varga",
        "Tom Holt",
        "Priya Nair",
    ];

    fn who(asked: &str) -> Result<&'static str, String> {
        find(NAMES, asked)
            .map(|index| NAMES[index])
            .map_err(|e| e.to_string())
    }

    #[test]
    fn names_are_found_by_what_people_type() {
        for asked in [
            "Zoë O'Neill-Ångström",
            "zoë",
            "ZOË O'NEILL",
            "o'neill",
            "Zoe\u{308}",
        ] {
            assert_eq!(who(asked), Ok(NAMES[0]), "{asked}");
        }
        assert_eq!(who("秋"), Ok("林 秋"));
        assert_eq!(
            who("tom"),
            Ok("Tom Holt"),
            "a whole first name counts for more than a beginning"
        );
        assert_eq!(who("toma"), Ok("Tomas Varga"));
    }

    #[test]
    fn other_names_are_refused_with_those_that_were_perhaps_meant() {
        assert_eq!(
            who("Pria"),
            Err("nobody is called \"Pria\"; did you mean Priya Nair?".to_owned())
        );
        assert_eq!(
            who("to"),
            Err("\"to\" may be Tomas Varga or Tom Holt; write more of the name".to_owned())
        );
        assert!(who("").unwrap_err().contains("nobody"));
        assert!(who("Xerxes").unwrap_err().contains("lists everybody"));
    }
}
