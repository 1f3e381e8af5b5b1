//! Whether the resident goes, or went, to what the question names.

use townsfolk_memory::MemoryKind;

use super::super::phrases::{fill, holds};
use super::super::talk::content_words;
use super::statements::Statement;
use super::{Answered, Asked};

impl Asked<'_> {
    /// Whether the resident is at, was at, or means to come to what the question names, where that is known.
    pub(super) fn going(&self) -> Option<Answered> {
        let cues = &self.words.interview;
        let matter = self.question.destination()?;
        let on_it = |words: &[String]| matter.iter().all(|w| words.contains(w));
        if self.question.past {
            if let Some(there) = self
                .statements
                .iter()
                .find(|s| on_it(&s.words) && self.is_there(s))
            {
                return Some(self.say([there], 1).led_by(&cues.lead_yes));
            }
        } else if let Some(doing) = self.task.present.doing
            && on_it(&content_words(doing, &[]))
            && !holds(doing, &cues.under_way)
        {
            let said = fill(&cues.i_am, &[("doing", &self.own_activity(doing))]);
            return Some(Answered::plain([said]).led_by(&cues.lead_yes));
        }
        let own = &self.task.who.name;
        let declined = |s: &Statement<'_>| s.after(&self.words.summary.declined, own).is_some();
        let means_to = |s: &Statement<'_>| {
            let after = s.after(&self.words.interview.will_be_there, own);
            after.is_some() && !self.question.past && !self.is_over(s)
        };
        let said = self
            .statements
            .iter()
            .filter(|s| s.teller.is_none() && on_it(&s.words) && (declined(s) || means_to(s)));
        let newest = said.max_by_key(|s| (s.memory.created, s.memory.id))?;
        let lead = if declined(newest) {
            &cues.lead_no
        } else {
            &cues.lead_yes
        };
        Some(self.say([newest], 1).led_by(lead))
    }

    /// Whether a statement shows the resident at what it names, rather than on the way there.
    fn is_there(&self, s: &Statement<'_>) -> bool {
        let own = s.is_sight()
            && s.memory.kind == MemoryKind::Observation
            && *s.memory.subject == *self.task.who.name;
        own && !holds(&s.text.to_lowercase(), &self.words.interview.under_way)
    }
}
