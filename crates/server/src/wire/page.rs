//! Long lists, page by page.

use serde::Serialize;
use utoipa::ToSchema;

use crate::asked::within;
use crate::refusal::Refusal;

/// Items on a page unless asked otherwise.
pub(crate) const USUAL: usize = 50;
/// Items on a page at most.
pub(crate) const MOST: usize = 200;

/// Some of a list, and where the rest begins.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct Page<T> {
    /// The items.
    pub(crate) items: Vec<T>,
    /// What to give as `cursor` for those after them; null at the end.
    pub(crate) next: Option<String>,
}

impl<T> Page<T> {
    /// A page of the items that come next; `more` of them than fit say that there is another, which
    /// begins after the last that fits.
    pub(crate) fn of(mut items: Vec<T>, limit: usize, cursor: impl FnOnce(&T) -> String) -> Self {
        let more = items.len() > limit;
        items.truncate(limit);
        let next = items.last().filter(|_| more).map(cursor);
        Self { items, next }
    }
}

/// Which page.
#[derive(Clone, Debug)]
pub(crate) struct Paging {
    cursor: Option<String>,
    limit: usize,
}

impl Paging {
    pub(crate) fn new(cursor: Option<String>, limit: Option<usize>) -> Result<Self, Refusal> {
        let limit = within("limit", limit, 1..=MOST)?.unwrap_or(USUAL);
        Ok(Self { cursor, limit })
    }

    pub(crate) fn limit(&self) -> usize {
        self.limit
    }

    /// The cursor as the number that it is in this list.
    pub(crate) fn number(&self) -> Result<Option<u32>, Refusal> {
        let parse = |cursor: &String| cursor.parse().map_err(|_| unknown());
        self.cursor.as_ref().map(parse).transpose()
    }

    /// The cursor as the two numbers that it is in this list.
    pub(crate) fn numbers(&self) -> Result<Option<(u32, u32)>, Refusal> {
        let parse = |cursor: &String| {
            let (first, second) = cursor.split_once('-').ok_or_else(unknown)?;
            let number = |text: &str| text.parse().map_err(|_| unknown());
            Ok((number(first)?, number(second)?))
        };
        self.cursor.as_ref().map(parse).transpose()
    }

    /// How many items of the whole list lie before the page, for lists that are counted through.
    pub(crate) fn skipped(&self) -> Result<usize, Refusal> {
        Ok(self.number()?.map_or(0, |number| number as usize))
    }
}

fn unknown() -> Refusal {
    Refusal::malformed(
        "this cursor belongs to another list",
        "give `next` of the page before, or leave it out",
    )
}
