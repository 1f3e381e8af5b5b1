//! What stands where in a template, as far as rendering it does not tell: fixed words, tags, and the blocks
//! around them.

use std::collections::BTreeSet;

/// A piece of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece<'t> {
    /// Fixed words.
    Words(&'t str),
    /// `{{ … }}`, without the braces.
    Expression(&'t str),
    /// `{% … %}`, without the signs.
    Statement(&'t str),
    /// `{# … #}`.
    Comment,
}

/// The pieces of a template, in order, each with the byte at which it begins.
pub(super) fn pieces(template: &str) -> Vec<(usize, Piece<'_>)> {
    let mut pieces = Vec::new();
    let mut at = 0;
    while at < template.len() {
        let rest = &template[at..];
        let tag = ["{{", "{%", "{#"]
            .into_iter()
            .filter_map(|open| rest.find(open))
            .min();
        let words = tag.unwrap_or(rest.len());
        if words > 0 {
            pieces.push((at, Piece::Words(&rest[..words])));
            at += words;
            continue;
        }
        let close = match rest.as_bytes().get(1) {
            Some(b'{') => "}}",
            Some(b'%') => "%}",
            _ => "#}",
        };
        let end = rest[2..].find(close).map_or(rest.len(), |end| 2 + end);
        let inside = rest[2..end].trim_matches(['-', '+']).trim();
        let piece = match close {
            "}}" => Piece::Expression(inside),
            "%}" => Piece::Statement(inside),
            _ => Piece::Comment,
        };
        pieces.push((at, piece));
        at = (at + end + close.len()).min(template.len());
        if piece == Piece::Statement("raw") {
            // What follows is words, whatever it looks like.
            let rest = &template[at..];
            let is_end = |(open, _): &(usize, &str)| {
                rest[open + 2..]
                    .trim_start_matches(['-', '+', ' '])
                    .starts_with("endraw")
            };
            let end = rest
                .match_indices("{%")
                .find(is_end)
                .map_or(rest.len(), |(open, _)| open);
            pieces.push((at, Piece::Words(&rest[..end])));
            at += end;
        }
    }
    pieces
}

/// Refuses a template that has not just these blocks, or words outside of them that nobody would ever read; the
/// line, from 1, and what is wrong there.
pub(super) fn check(template: &str, blocks: &[&str]) -> Result<(), (usize, String)> {
    let names: Vec<String> = blocks.iter().map(|name| format!("`{name}`")).collect();
    let names = names.join(" and ");
    let line_of = |at: usize| template[..at].matches('\n').count() + 1;
    let mut seen = BTreeSet::new();
    let mut open = 0usize;
    for (at, piece) in pieces(template) {
        let outside = match piece {
            Piece::Statement(statement) => {
                let mut words = statement.split_whitespace();
                match (words.next(), words.next()) {
                    (Some("block"), name) => {
                        let name = name.unwrap_or_default();
                        if !blocks.contains(&name) {
                            let what = format!("a prompt has no block `{name}`, only {names}");
                            return Err((line_of(at), what));
                        }
                        seen.insert(name);
                        open += 1;
                        continue;
                    }
                    (Some("endblock"), _) => {
                        open = open.saturating_sub(1);
                        continue;
                    }
                    // These leave no text.
                    (Some("import" | "from"), _) => continue,
                    (Some("set"), _) if statement.contains('=') => continue,
                    _ => statement,
                }
            }
            Piece::Words(words) if words.trim().is_empty() => continue,
            Piece::Words(words) | Piece::Expression(words) => words,
            Piece::Comment => continue,
        };
        if open == 0 {
            let begins = outside.len() - outside.trim_start().len();
            let at = if matches!(piece, Piece::Words(_)) {
                at + begins
            } else {
                at
            };
            let line = outside.trim().lines().next().unwrap_or_default();
            let what = format!("this stands outside of the blocks {names} and would never be sent: `{line}`");
            return Err((line_of(at), what));
        }
    }
    match blocks.iter().find(|name| !seen.contains(*name)) {
        Some(name) => Err((
            1,
            format!("there is no block `{name}`; a prompt has the blocks {names}"),
        )),
        None => Ok(()),
    }
}

/// The line, from 1, in which a variable is first used; the first where it is not found.
pub(super) fn line_using(template: &str, variable: &str) -> usize {
    let is_name = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let uses = |inside: &str| {
        inside.match_indices(variable).any(|(at, _)| {
            let before = inside[..at].chars().next_back();
            !is_name(before) && before != Some('.') && !is_name(inside[at + variable.len()..].chars().next())
        })
    };
    let tag = pieces(template).into_iter().find(|(_, piece)| match piece {
        Piece::Expression(inside) | Piece::Statement(inside) => uses(inside),
        _ => false,
    });
    tag.map_or(1, |(at, _)| template[..at].matches('\n').count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_is_words_and_tags() {
        let template = "Hi {{ who }}!\n{%- if x -%}{# note #}{% raw %}{{ y }}{% endraw %}{% endif %}";
        let found: Vec<Piece<'_>> = pieces(template).into_iter().map(|(_, piece)| piece).collect();
        assert_eq!(
            found,
            [
                Piece::Words("Hi "),
                Piece::Expression("who"),
                Piece::Words("!\n"),
                Piece::Statement("if x"),
                Piece::Comment,
                Piece::Statement("raw"),
                Piece::Words("{{ y }}"),
                Piece::Statement("endraw"),
                Piece::Statement("endif"),
            ]
        );
        assert_eq!(pieces("{{ open"), [(0, Piece::Expression("open"))]);
        assert_eq!(pieces("{"), [(0, Piece::Words("{"))]);
    }

    #[test]
    fn a_variable_is_found_in_its_line() {
        let template = "who\n{{ whose }}\n{{ x.who }}\n{% if who.age %}";
        assert_eq!(line_using(template, "who"), 4);
        assert_eq!(line_using(template, "who.age"), 4);
        assert_eq!(line_using(template, "nobody"), 1);
    }
}
