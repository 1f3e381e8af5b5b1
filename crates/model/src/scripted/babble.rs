//! Models that say anything: pieces of JSON, refusals, errors, reasoning; or words alone.

use std::future::ready;

use futures_util::future::BoxFuture;

use crate::{
    ChatModel, ChatReply, ChatRequest, Fault, ModelError, Usage, estimate_prompt_tokens, estimate_tokens,
};

/// What babble is made of: pieces that a reader of answers may stumble over.
const PIECES: &[&str] = &[
    "the",
    "boat",
    "kettle",
    "morning",
    "certainly",
    "Tomas",
    "Mara Ilves:",
    "7",
    "25:99",
    "12",
    "at 6 pm",
    "林",
    "{",
    "}",
    "[",
    "]",
    "\"",
    "'",
    ",",
    ":",
    "{\"",
    "\": \"",
    "\"}",
    "]}",
    "null",
    "true",
    "\\u",
    "\\",
    "\n",
    "\n\n",
    "| a | b |",
    "|---|",
    "```json",
    "```",
    "- ",
    "1. ",
    "2) ",
    "<think>",
    "</think>",
    "```",
    "{{ who }}",
    "{% x %}",
    "As an AI language model, I cannot",
    "ERROR: out of memory",
    "rate limit exceeded",
    "\u{0}",
    "\u{7}",
    "🍳",
    "ha ha ha ha ha ha ha",
    "\"plan\": [",
    "\"day\": [",
    "\"steps\":",
    "\"text\":",
    "\"say\":",
    "\"place\":",
    "\"wake\":",
    "\"ratings\": [",
    "\"choice\":",
    "\"do\": \"",
    "\"from\": \"",
    "\"minutes\": ",
    "999999999999",
    "-3",
    "1e309",
];
/// Faults that pass, so that a run goes on after them.
const FAULTS: [Fault; 4] = [Fault::Timeout, Fault::Server, Fault::Declined, Fault::Unreadable];
/// One call in so many fails.
const FAILING: usize = 10;
/// So many pieces at most.
const LONGEST: usize = 60;

/// Common words, for sentences that are none.
const WORDS: &str = "\
     the and a of to in is it that for with on as at by from was be this have or one had not but what all were \
     when we there can an your which their said if do will each about how up out them then she many some so these \
     would other into has more two like him see time could no make than first been its who now people my made \
     over did down only way find use may water long little very after words called just where most know get \
     through back much before go good new write our used me man too any day same right look think also around \
     another came come work three word must because does part even place well such here take why things help put \
     years different away again off went old number great tell men say small every found still between name \
     should home big give air line set own under read last never us left end along while might next sound below \
     saw something thought both few those always looked show large often together asked house world going want \
     school important until form food keep children feet land side without boy once animals life enough took four \
     head above kind began almost live page got earth need far hand high year mother light country father let \
     night picture being study second soon story since white ever paper hard near sentence better best across \
     during today others however sure means knew try told young sun thing whole hear example heard several change \
     answer room sea against top turned learn point city play toward five bed table desk using himself usually \
";
/// So many of them at most.
const MOST_WORDS: usize = 39;

/// Says anything. The same request gets the same babble.
#[derive(Clone, Copy, Debug)]
pub struct Babble {
    /// Which babble.
    pub seed: u64,
}

/// Says words in any order, without punctuation. The same request gets the same ones.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    /// Which words.
    pub seed: u64,
}

impl Words {
    /// What it says to a request.
    pub fn say(&self, request: &ChatRequest) -> String {
        let words: Vec<&str> = WORDS.split_whitespace().collect();
        let mut state = begin(self.seed, request);
        let mut below = |limit: usize| (draw(&mut state) % limit as u64) as usize;
        let length = 1 + below(MOST_WORDS);
        let said: Vec<&str> = (0..length).map(|_| words[below(words.len())]).collect();
        said.join(" ")
    }
}

impl Babble {
    /// What it says to a request.
    ///
    /// # Errors
    /// Now and then with a fault that passes.
    pub fn say(&self, request: &ChatRequest) -> Result<String, Fault> {
        let mut state = begin(self.seed, request);
        let mut below = |limit: usize| (draw(&mut state) % limit as u64) as usize;
        if below(FAILING) == 0 {
            return Err(FAULTS[below(FAULTS.len())]);
        }
        let length = below(LONGEST);
        let between = [" ", "", "\n"][below(3)];
        let pieces: Vec<&str> = (0..length).map(|_| PIECES[below(PIECES.len())]).collect();
        Ok(pieces.join(between))
    }
}

/// Where chance begins for a request.
fn begin(seed: u64, request: &ChatRequest) -> u64 {
    let texts = request.turns.iter().map(|turn| turn.text.as_bytes());
    texts.fold(seed ^ hash(request.system.as_bytes()), |state, text| {
        state.rotate_left(7) ^ hash(text)
    })
}

/// FNV-1a.
fn hash(bytes: &[u8]) -> u64 {
    let mix = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, mix)
}

/// The next number of SplitMix64 (Steele et al. 2014).
fn draw(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

impl ChatModel for Babble {
    fn name(&self) -> &str {
        "babble"
    }

    fn chat<'a>(&'a self, request: &'a ChatRequest) -> BoxFuture<'a, Result<ChatReply, ModelError>> {
        let said = self.say(request).map(|text| reply(self.name(), request, text));
        let error = |fault| ModelError {
            model: self.name().to_owned(),
            status: None,
            fault,
            detail: "it babbles".to_owned(),
            remedy: "ask again".to_owned(),
            retry_after: None,
        };
        Box::pin(ready(said.map_err(error)))
    }
}

impl ChatModel for Words {
    fn name(&self) -> &str {
        "words"
    }

    fn chat<'a>(&'a self, request: &'a ChatRequest) -> BoxFuture<'a, Result<ChatReply, ModelError>> {
        Box::pin(ready(Ok(reply(self.name(), request, self.say(request)))))
    }
}

fn reply(model: &str, request: &ChatRequest, text: String) -> ChatReply {
    ChatReply {
        usage: Usage {
            input: estimate_prompt_tokens(request),
            cached: 0,
            output: estimate_tokens(&text),
        },
        text,
        model: model.to_owned(),
        cut_off: false,
    }
}
