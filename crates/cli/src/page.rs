//! Text for a terminal: headings, wrapped paragraphs, aligned columns and trees.
//!
//! Widths are columns of the terminal, so that names in any script line up. What a terminal would obey
//! instead of showing it is shown escaped ([`visible`]): texts come from models, towns and servers.

use std::borrow::Cow;
use std::fmt::Write as _;

use townsfolk_town::is_hidden;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// A page being written.
pub(crate) struct Page {
    text: String,
    width: usize,
    colours: bool,
}

/// How a piece of text is to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    Plain,
    /// Titles and what matters most.
    Strong,
    /// What may be passed over: times, counts, lines of trees.
    Faint,
    /// Names of residents.
    Name,
    /// Something that went otherwise than intended.
    Warning,
    /// What went wrong.
    Error,
}

impl Look {
    const ALL: [Self; 6] = [
        Self::Plain,
        Self::Strong,
        Self::Faint,
        Self::Name,
        Self::Warning,
        Self::Error,
    ];

    /// What turns it on.
    const fn begins(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Strong => "\u{1b}[1m",
            Self::Faint => "\u{1b}[2m",
            Self::Name => "\u{1b}[36m",
            Self::Warning => "\u{1b}[33m",
            Self::Error => "\u{1b}[31;1m",
        }
    }
}

/// What turns any look off.
const ENDS: &str = "\u{1b}[0m";

/// A text as it can be shown: control characters and those that turn the direction of writing are escaped, such as
/// `\u{1b}`. Ends of lines, tabs and, where there are `colours`, our own looks stay.
pub(crate) fn visible(text: &str, colours: bool) -> Cow<'_, str> {
    let is_harmful = |c: char| is_hidden(c) && !matches!(c, '\n' | '\t');
    if !text.contains(is_harmful) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    let mut rest = text;
    while let Some(at) = rest.find(is_harmful) {
        let (before, from) = rest.split_at(at);
        shown.push_str(before);
        let mut looks = Look::ALL.map(Look::begins).into_iter().chain([ENDS]);
        let own = looks.find(|look| colours && !look.is_empty() && from.starts_with(look));
        rest = match own {
            Some(look) => {
                shown.push_str(look);
                &from[look.len()..]
            }
            None => {
                let mut letters = from.chars();
                shown.extend(letters.next().into_iter().flat_map(char::escape_unicode));
                letters.as_str()
            }
        };
    }
    shown.push_str(rest);
    Cow::Owned(shown)
}

impl Page {
    /// An empty page of so many columns.
    pub(crate) fn new(width: usize, colours: bool) -> Self {
        Self {
            text: String::new(),
            width,
            colours,
        }
    }

    /// The text written so far.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// A piece of text in a look, for use in other calls.
    pub(crate) fn look(&self, look: Look, text: impl AsRef<str>) -> String {
        let text = text.as_ref();
        match look.begins() {
            "" => text.to_owned(),
            _ if !self.colours => text.to_owned(),
            begins => format!("{begins}{text}{ENDS}"),
        }
    }

    /// A title.
    pub(crate) fn title(&mut self, text: &str) {
        let text = self.look(Look::Strong, text);
        self.flow("", "", &text);
    }

    /// A heading, with an empty line before it.
    pub(crate) fn heading(&mut self, text: &str) {
        self.gap();
        self.title(text);
    }

    /// An empty line, unless there is one already.
    pub(crate) fn gap(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    /// A line as it is.
    pub(crate) fn line(&mut self, text: &str) {
        self.text.push_str(visible(text, self.colours).trim_end());
        self.text.push('\n');
    }

    /// A paragraph, wrapped, all of it indented.
    pub(crate) fn paragraph(&mut self, indent: usize, text: &str) {
        let indent = " ".repeat(indent);
        self.flow(&indent, &indent, text);
    }

    /// A paragraph whose first line begins with `first` and the others with `rest`.
    pub(crate) fn flow(&mut self, first: &str, rest: &str, text: &str) {
        let [first, rest, text] = [first, rest, text].map(|text| visible(text, self.colours));
        let (first, rest) = (&*first, &*rest);
        let room = |lead: &str| self.width.saturating_sub(columns(lead)).max(20);
        let mut line = String::new();
        let mut used = 0;
        let mut lead = first;
        let mut written = false;
        for word in text.split_whitespace().flat_map(|word| broken(word, room(rest))) {
            let wide = columns(&word);
            if used > 0 && used + 1 + wide > room(lead) {
                let _ = writeln!(self.text, "{lead}{line}");
                (lead, written) = (rest, true);
                line.clear();
                used = 0;
            }
            if used > 0 {
                line.push(' ');
                used += 1;
            }
            line.push_str(&word);
            used += wide;
        }
        if used > 0 || !written {
            let _ = writeln!(self.text, "{}", format!("{lead}{line}").trim_end());
        }
    }

    /// Rows of columns; all but the last are padded to the widest, the last is wrapped.
    pub(crate) fn table(&mut self, indent: usize, rows: &[Vec<String>]) {
        let shown = |cell: &String| visible(cell, self.colours).into_owned();
        let rows: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(shown).collect()).collect();
        let count = rows.iter().map(Vec::len).max().unwrap_or(0);
        let widest = |column: usize| {
            rows.iter()
                .filter(|row| column + 1 < row.len())
                .map(|row| columns(&row[column]))
                .max()
                .unwrap_or(0)
        };
        let most = self.width / 2;
        let widths: Vec<usize> = (0..count).map(|column| widest(column).min(most)).collect();
        for row in &rows {
            let Some((last, front)) = row.split_last() else {
                continue;
            };
            let mut lead = " ".repeat(indent);
            for (cell, width) in front.iter().zip(&widths) {
                lead.push_str(&padded(cell, *width));
                lead.push_str("  ");
            }
            let hang = " ".repeat(columns(&lead));
            self.flow(&lead, &hang, last);
        }
    }

    /// A tree; what stands before the text of each node is drawn.
    pub(crate) fn tree(&mut self, indent: usize, root: &Tree) {
        let lead = " ".repeat(indent);
        self.flow(&lead, &format!("{lead}  "), &root.text);
        self.branches(&lead, &root.children);
    }

    fn branches(&mut self, lead: &str, children: &[Tree]) {
        for (index, child) in children.iter().enumerate() {
            let last = index + 1 == children.len();
            let first = format!(
                "{lead}{}",
                self.look(Look::Faint, if last { "└─ " } else { "├─ " })
            );
            let below = format!(
                "{lead}{}",
                self.look(Look::Faint, if last { "   " } else { "│  " })
            );
            let hang = if child.children.is_empty() {
                format!("{below}  ")
            } else {
                format!("{below}{}", self.look(Look::Faint, "│ "))
            };
            self.flow(&first, &hang, &child.text);
            self.branches(&below, &child.children);
        }
    }
}

/// A tree of texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tree {
    pub(crate) text: String,
    pub(crate) children: Vec<Tree>,
}

/// Makes the cells of every column but the first end in the same column: numbers under their title.
pub(crate) fn right_aligned(rows: &mut [Vec<String>]) {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    for column in 1..count {
        let cells = rows.iter().filter_map(|row| row.get(column));
        let widest = cells.map(|cell| columns(cell)).max().unwrap_or(0);
        for cell in rows.iter_mut().filter_map(|row| row.get_mut(column)) {
            let missing = widest.saturating_sub(columns(cell));
            cell.insert_str(0, &" ".repeat(missing));
        }
    }
}

/// Columns that a text takes on a terminal; colours take none.
pub(crate) fn columns(text: &str) -> usize {
    if !text.contains('\u{1b}') {
        return text.width();
    }
    let mut plain = String::with_capacity(text.len());
    let mut escaped = false;
    for letter in text.chars() {
        match letter {
            '\u{1b}' => escaped = true,
            'm' if escaped => escaped = false,
            _ if escaped => {}
            _ => plain.push(letter),
        }
    }
    plain.width()
}

/// The text with spaces after it up to so many columns.
pub(crate) fn padded(text: &str, width: usize) -> String {
    let spaces = width.saturating_sub(columns(text));
    format!("{text}{}", " ".repeat(spaces))
}

/// A word that is too long for a line, in pieces that are not (scripts without spaces).
fn broken(word: &str, room: usize) -> Vec<String> {
    if columns(word) <= room || word.contains('\u{1b}') {
        return vec![word.to_owned()];
    }
    let mut pieces = vec![String::new()];
    let mut used = 0;
    for letter in word.chars() {
        let wide = letter.width().unwrap_or(0);
        if used + wide > room {
            pieces.push(String::new());
            used = 0;
        }
        used += wide;
        if let Some(piece) = pieces.last_mut() {
            piece.push(letter);
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(cells: &[&str]) -> Vec<String> {
        cells.iter().map(|cell| (*cell).to_owned()).collect()
    }

    #[test]
    fn names_of_any_script_line_up() {
        let mut page = Page::new(60, false);
        page.table(
            2,
            &[
                row(&["林 秋", "tends the seedlings"]),
                row(&["Zoë O'Neill-Ångström", "practises"]),
            ],
        );
        let lines: Vec<&str> = page.text().lines().collect();
        assert_eq!(
            lines,
            [
                "  林 秋                 tends the seedlings",
                "  Zoë O'Neill-Ångström  practises"
            ]
        );
    }

    #[test]
    fn long_cells_and_scripts_without_spaces_wrap_under_themselves() {
        let mut page = Page::new(44, false);
        page.table(
            0,
            &[row(&[
                "06:15",
                "takes the early ferry to the island and comes back",
            ])],
        );
        page.paragraph(4, &"秋の朝は静かで川の水が冷たい".repeat(3));
        let lines: Vec<&str> = page.text().lines().collect();
        assert_eq!(
            lines[..2],
            [
                "06:15  takes the early ferry to the island",
                "       and comes back"
            ]
        );
        assert_eq!(lines[2].trim_start().chars().count(), 20);
        assert_eq!(lines.len(), 5);
        assert!(page.text().lines().all(|line| columns(line) <= 44));
    }

    #[test]
    fn trees_keep_their_lines_when_texts_wrap() {
        let leaf = |text: &str| Tree {
            text: text.to_owned(),
            children: Vec::new(),
        };
        let tree = Tree {
            text: "Edda".to_owned(),
            children: vec![
                Tree {
                    text: "Priya heard it at the bakery on Monday morning".to_owned(),
                    children: vec![leaf("林 秋")],
                },
                leaf("Tomas heard it at the quay, much later on"),
            ],
        };
        let mut page = Page::new(40, false);
        page.tree(0, &tree);
        let lines: Vec<&str> = page.text().lines().collect();
        let drawn = [
            "Edda",
            "├─ Priya heard it at the bakery on",
            "│  │ Monday morning",
            "│  └─ 林 秋",
            "└─ Tomas heard it at the quay, much",
            "     later on",
        ];
        assert_eq!(lines, drawn);
    }

    #[test]
    fn what_a_terminal_would_obey_is_shown_instead() {
        let text = "\u{1b}]0;owned\u{7}a\u{202e}b\u{2066}c\u{9b}31md\r\tTom\u{e1}s 林\n👩\u{200d}🌾";
        let shown = "\\u{1b}]0;owned\\u{7}a\\u{202e}b\\u{2066}c\\u{9b}31md\\u{d}\tTomás 林\n👩\u{200d}🌾";
        for colours in [false, true] {
            assert_eq!(visible(text, colours), shown);
            assert_eq!(visible(&visible(text, colours), colours), shown);
        }
        let mut page = Page::new(40, true);
        let name = page.look(Look::Name, "Zoë\u{1b}[2J");
        page.paragraph(0, &format!("{name}\u{8}"));
        assert_eq!(page.text(), "\u{1b}[36mZoë\\u{1b}[2J\u{1b}[0m\\u{8}\n");
        // Without colours nothing of the kind comes from us.
        assert_eq!(visible(&name, false), "\\u{1b}[36mZoë\\u{1b}[2J\\u{1b}[0m");
        let mut plain = Page::new(40, false);
        plain.table(0, &[row(&["a\u{1b}", "b"]), row(&["long name", "c"])]);
        assert_eq!(plain.text(), "a\\u{1b}    b\nlong name  c\n");
    }

    #[test]
    fn colours_take_no_columns() {
        let page = Page::new(40, true);
        let name = page.look(Look::Name, "林 秋");
        assert_ne!(name, "林 秋");
        assert_eq!(columns(&name), 5);
    }
}
