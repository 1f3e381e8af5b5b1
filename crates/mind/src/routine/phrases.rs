//! Phrases of plans, filled in.

/// `template` with `{name}` replaced by its value, for each name given.
pub(crate) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut text = String::with_capacity(template.len() + 24);
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let Some((name, tail)) = after.split_once('}') else {
            break;
        };
        if let Some((_, value)) = values.iter().find(|(known, _)| *known == name) {
            text.push_str(value);
        }
        rest = tail;
    }
    text.push_str(rest);
    text
}

#[cfg(test)]
mod tests {
    use super::fill;

    #[test]
    fn names_are_filled_in_and_values_left_alone() {
        assert_eq!(
            fill("{verb} at {place}", &[("verb", "eating"), ("place", "{verb}")]),
            "eating at {verb}"
        );
        assert_eq!(fill("plain", &[]), "plain");
    }
}
