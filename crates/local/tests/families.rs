//! The families of models people have files of: Llama, Qwen and Gemma, each as a network of two layers
//! with drawn weights, written here as a GGUF file the way their converters write it.
//!
//! Their answers mean nothing; whether a family loads, is laid out by its own chat template and keeps to
//! a schema has nothing to do with what weights were trained on.

use std::fs;
use std::path::{Path, PathBuf};

use futures_executor::block_on;
use futures_util::future::join_all;
use serde_json::Value;
use townsfolk_local::{GgufHeader, LocalModel, LocalOptions};
use townsfolk_model::{ChatModel, ChatRequest};

use crate::asking::{ask, is_step, request, shaped, small, step};

mod asking;

/// Width of the network, of one head, and of the layer in between.
const WIDTH: u64 = 64;
const HEAD: u64 = 32;
const BETWEEN: u64 = 96;
const HEADS: u64 = 2;
const HEADS_KV: u64 = 1;
const LAYERS: u64 = 2;

/// What sets a family apart.
struct Family {
    architecture: &'static str,
    words: Words,
    template: &'static str,
    /// The mark that ends a turn; as a control token it is one token.
    turn_ends: &'static str,
    /// Norms of each head's queries and keys (Qwen 3, Gemma 3).
    head_norms: bool,
    /// Biases of queries, keys and values (Qwen 2).
    biases: bool,
    /// Norms after attention and feed-forward as well (Gemma 3).
    norms_after: bool,
}

/// How a family cuts text into tokens.
enum Words {
    /// Byte-level BPE, with the rules for cutting that the name stands for.
    Bytes(&'static str),
    /// SentencePiece with bytes to fall back on.
    Pieces,
}

const CHATML: &str = "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n\
                      {% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}";
const CHATML_THINKING: &str = "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n\
                               {% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n\
                               {% if enable_thinking is false %}<think>\n\n</think>\n\n{% endif %}{% endif %}";
const LLAMA_3: &str = "{% for message in messages %}<|start_header_id|>{{ message.role }}<|end_header_id|>\n\n\
                       {{ message.content }}<|eot_id|>{% endfor %}";
const GEMMA: &str = "{% for message in messages %}<start_of_turn>{{ message.role }}\n{{ message.content }}<end_of_turn>\n\
                     {% endfor %}{% if add_generation_prompt %}<start_of_turn>model\n{% endif %}";

const LLAMA: Family = Family {
    architecture: "llama",
    words: Words::Bytes("llama-bpe"),
    template: LLAMA_3,
    turn_ends: "<|eot_id|>",
    head_norms: false,
    biases: false,
    norms_after: false,
};
const QWEN_2: Family = Family {
    architecture: "qwen2",
    words: Words::Bytes("qwen2"),
    template: CHATML,
    turn_ends: "<|im_end|>",
    head_norms: false,
    biases: true,
    norms_after: false,
};
const QWEN_3: Family = Family {
    architecture: "qwen3",
    words: Words::Bytes("qwen2"),
    template: CHATML_THINKING,
    turn_ends: "<|im_end|>",
    head_norms: true,
    biases: false,
    norms_after: false,
};
const GEMMA_3: Family = Family {
    architecture: "gemma3",
    words: Words::Pieces,
    template: GEMMA,
    turn_ends: "<end_of_turn>",
    head_norms: true,
    biases: false,
    norms_after: true,
};

#[test]
fn llama_keeps_to_schemas_and_to_its_own_turns() {
    holds(&LLAMA);
}

#[test]
fn qwen_2_keeps_to_schemas_and_to_its_own_turns() {
    holds(&QWEN_2);
}

#[test]
fn qwen_3_keeps_to_schemas_and_to_its_own_turns() {
    holds(&QWEN_3);
}

#[test]
fn gemma_3_keeps_to_schemas_and_to_its_own_turns() {
    holds(&GEMMA_3);
}

fn holds(family: &Family) {
    let folder = tempfile::tempdir().unwrap();
    let file = write(family, folder.path());
    assert_eq!(GgufHeader::read(&file).unwrap().architecture, family.architecture);
    let options = LocalOptions {
        sequences: 2,
        ..small()
    };
    let model = LocalModel::open(&file, &options).unwrap();
    assert_eq!(
        model.notices(),
        &[] as &[String],
        "the template was not understood"
    );

    let requests: Vec<ChatRequest> = (0..6)
        .map(|seed| ChatRequest {
            temperature: if seed == 0 { 0.0 } else { 1.2 },
            seed: Some(seed),
            max_tokens: if seed % 2 == 0 { 48 } else { 7 },
            ..shaped("What do you do next?", &step())
        })
        .collect();
    for reply in block_on(join_all(requests.iter().map(|request| model.chat(request)))) {
        let reply = reply.unwrap();
        let answer: Value =
            serde_json::from_str(&reply.text).unwrap_or_else(|error| panic!("{error}: {}", reply.text));
        assert!(is_step(&answer), "{}", reply.text);
    }

    // As a control token the mark would be one token, as text it is as many as its letters.
    let tokens = |text: &str| model.prompt_tokens(&request(text)).unwrap();
    assert_eq!(
        tokens(&format!("a{}", family.turn_ends)),
        tokens(&format!("a{}", "b".repeat(family.turn_ends.len()))),
    );
    // Free speech, in whatever these weights call speech, and the beginning that stays is read once.
    let first = ask(&model, &request("Who is that? Zoë O'Neill, 林 秋 🎈"));
    let second = ask(&model, &request("Where do you live?"));
    assert!(first.usage.output > 0 && second.usage.cached > 40, "{second:?}");
}

/// Writes a small model of a family.
fn write(family: &Family, folder: &Path) -> PathBuf {
    let mut file = Gguf::default();
    let of = |key: &str| format!("{}.{key}", family.architecture);
    file.text("general.architecture", family.architecture);
    file.number(&of("context_length"), 2048);
    file.number(&of("embedding_length"), WIDTH);
    file.number(&of("block_count"), LAYERS);
    file.number(&of("feed_forward_length"), BETWEEN);
    file.number(&of("attention.head_count"), HEADS);
    file.number(&of("attention.head_count_kv"), HEADS_KV);
    file.number(&of("attention.key_length"), HEAD);
    file.number(&of("attention.value_length"), HEAD);
    file.number(&of("rope.dimension_count"), HEAD);
    file.number(&of("attention.sliding_window"), 512);
    file.real(&of("attention.layer_norm_rms_epsilon"), 1e-6);
    file.real(&of("rope.freq_base"), 10_000.0);
    file.text("tokenizer.chat_template", family.template);
    let vocabulary = match family.words {
        Words::Bytes(cut) => byte_level(&mut file, cut, family.turn_ends),
        Words::Pieces => pieces(&mut file),
    };

    file.drawn("token_embd.weight", &[WIDTH, vocabulary]);
    file.ones("output_norm.weight", WIDTH);
    for layer in 0..LAYERS {
        let name = |part: &str| format!("blk.{layer}.{part}");
        file.ones(&name("attn_norm.weight"), WIDTH);
        for (part, heads) in [("attn_q", HEADS), ("attn_k", HEADS_KV), ("attn_v", HEADS_KV)] {
            file.drawn(&name(&format!("{part}.weight")), &[WIDTH, heads * HEAD]);
            if family.biases {
                file.drawn(&name(&format!("{part}.bias")), &[heads * HEAD]);
            }
        }
        file.drawn(&name("attn_output.weight"), &[HEADS * HEAD, WIDTH]);
        if family.head_norms {
            file.ones(&name("attn_q_norm.weight"), HEAD);
            file.ones(&name("attn_k_norm.weight"), HEAD);
        }
        if family.norms_after {
            file.ones(&name("post_attention_norm.weight"), WIDTH);
            file.ones(&name("post_ffw_norm.weight"), WIDTH);
        }
        file.ones(&name("ffn_norm.weight"), WIDTH);
        file.drawn(&name("ffn_gate.weight"), &[WIDTH, BETWEEN]);
        file.drawn(&name("ffn_up.weight"), &[WIDTH, BETWEEN]);
        file.drawn(&name("ffn_down.weight"), &[BETWEEN, WIDTH]);
    }
    let path = folder.join(format!("{}.gguf", family.architecture));
    fs::write(&path, file.bytes()).unwrap();
    path
}

// Kinds of tokens, by `llama_token_type` of llama.cpp.
const NORMAL: u32 = 1;
const UNKNOWN: u32 = 2;
const CONTROL: u32 = 3;
const BYTE: u32 = 6;

/// A vocabulary of single bytes as GPT-2 writes them: those that print stand for themselves, the others
/// for characters from U+0100 on. Gives the number of tokens.
fn byte_level(file: &mut Gguf, cut: &str, turn_ends: &str) -> u64 {
    let prints = |byte: u8| matches!(byte, b'!'..=b'~' | 0xA1..=0xAC | 0xAE..=0xFF);
    let mut others = 0x100..;
    let letter = |byte: u8| {
        if prints(byte) {
            char::from(byte)
        } else {
            others.next().and_then(char::from_u32).unwrap()
        }
    };
    let mut tokens: Vec<String> = (0..=u8::MAX).map(letter).map(String::from).collect();
    tokens.push("th".to_owned());
    let mut kinds = vec![NORMAL; tokens.len()];
    let controls = [
        "<|endoftext|>",
        "<|im_start|>",
        "<|im_end|>",
        "<|start_header_id|>",
        "<|end_header_id|>",
        "<|eot_id|>",
    ];
    tokens.extend(controls.map(str::to_owned));
    kinds.resize(tokens.len(), CONTROL);
    file.text("tokenizer.ggml.model", "gpt2");
    file.text("tokenizer.ggml.pre", cut);
    file.texts("tokenizer.ggml.tokens", &tokens);
    file.texts("tokenizer.ggml.merges", &["t h".to_owned()]);
    file.numbers("tokenizer.ggml.token_type", &kinds);
    let end = tokens.iter().position(|token| token == turn_ends);
    file.number("tokenizer.ggml.eos_token_id", end.unwrap() as u64);
    file.number("tokenizer.ggml.padding_token_id", 257);
    file.flag("tokenizer.ggml.add_bos_token", false);
    tokens.len() as u64
}

/// A vocabulary of SentencePiece: letters, and bytes for all else. Gives the number of tokens.
fn pieces(file: &mut Gguf) -> u64 {
    let marks = [
        "<pad>",
        "<eos>",
        "<bos>",
        "<unk>",
        "<start_of_turn>",
        "<end_of_turn>",
    ];
    let bytes = (0..=u8::MAX).map(|byte| format!("<0x{byte:02X}>"));
    let letters = (' '..='~').map(|letter| String::from(if letter == ' ' { '\u{2581}' } else { letter }));
    let tokens: Vec<String> = marks
        .map(str::to_owned)
        .into_iter()
        .chain(bytes)
        .chain(letters)
        .collect();
    let kind = |at: usize| match at {
        3 => UNKNOWN,
        0..=5 => CONTROL,
        6..=261 => BYTE,
        _ => NORMAL,
    };
    let kinds: Vec<u32> = (0..tokens.len()).map(kind).collect();
    let scores: Vec<f32> = (0..tokens.len()).map(|at| -(at as f32)).collect();
    file.text("tokenizer.ggml.model", "llama");
    file.text("tokenizer.ggml.pre", "default");
    file.texts("tokenizer.ggml.tokens", &tokens);
    file.reals("tokenizer.ggml.scores", &scores);
    file.numbers("tokenizer.ggml.token_type", &kinds);
    file.number("tokenizer.ggml.padding_token_id", 0);
    file.number("tokenizer.ggml.eos_token_id", 1);
    file.number("tokenizer.ggml.bos_token_id", 2);
    file.number("tokenizer.ggml.unknown_token_id", 3);
    file.number("tokenizer.ggml.eot_token_id", 5);
    file.flag("tokenizer.ggml.add_bos_token", true);
    file.flag("tokenizer.ggml.add_space_prefix", false);
    tokens.len() as u64
}

/// A GGUF file of version 3 as it is put together: keys, then tensors of 32-bit numbers.
#[derive(Default)]
struct Gguf {
    keys: Vec<u8>,
    key_count: u64,
    tensors: Vec<u8>,
    tensor_count: u64,
    weights: Vec<u8>,
    drawn: u64,
}

// Types of values, by the format.
const U32: u32 = 4;
const I32: u32 = 5;
const F32: u32 = 6;
const BOOL: u32 = 7;
const STRING: u32 = 8;
const ARRAY: u32 = 9;
/// Where weights begin and each tensor begins, in bytes.
const ALIGNMENT: usize = 32;

impl Gguf {
    fn key(&mut self, key: &str, kind: u32) {
        string(&mut self.keys, key);
        self.keys.extend(kind.to_le_bytes());
        self.key_count += 1;
    }

    fn text(&mut self, key: &str, value: &str) {
        self.key(key, STRING);
        string(&mut self.keys, value);
    }

    fn number(&mut self, key: &str, value: u64) {
        self.key(key, U32);
        self.keys.extend((value as u32).to_le_bytes());
    }

    fn real(&mut self, key: &str, value: f32) {
        self.key(key, F32);
        self.keys.extend(value.to_le_bytes());
    }

    fn flag(&mut self, key: &str, value: bool) {
        self.key(key, BOOL);
        self.keys.push(value.into());
    }

    fn array(&mut self, key: &str, kind: u32, length: usize) {
        self.key(key, ARRAY);
        self.keys.extend(kind.to_le_bytes());
        self.keys.extend((length as u64).to_le_bytes());
    }

    fn texts(&mut self, key: &str, values: &[String]) {
        self.array(key, STRING, values.len());
        values.iter().for_each(|value| string(&mut self.keys, value));
    }

    fn numbers(&mut self, key: &str, values: &[u32]) {
        self.array(key, I32, values.len());
        self.keys
            .extend(values.iter().flat_map(|value| value.to_le_bytes()));
    }

    fn reals(&mut self, key: &str, values: &[f32]) {
        self.array(key, F32, values.len());
        self.keys
            .extend(values.iter().flat_map(|value| value.to_le_bytes()));
    }

    fn tensor(&mut self, name: &str, sizes: &[u64], mut weight: impl FnMut() -> f32) {
        string(&mut self.tensors, name);
        self.tensors.extend((sizes.len() as u32).to_le_bytes());
        self.tensors
            .extend(sizes.iter().flat_map(|size| size.to_le_bytes()));
        self.tensors.extend(0_u32.to_le_bytes()); // 32-bit numbers
        self.tensors.extend((self.weights.len() as u64).to_le_bytes());
        for _ in 0..sizes.iter().product() {
            self.weights.extend(weight().to_le_bytes());
        }
        pad(&mut self.weights);
        self.tensor_count += 1;
    }

    fn ones(&mut self, name: &str, size: u64) {
        self.tensor(name, &[size], || 1.0);
    }

    /// Weights between -0.1 and 0.1, the same each time (a linear congruence of Knuth's).
    fn drawn(&mut self, name: &str, sizes: &[u64]) {
        let mut state = self.drawn;
        self.tensor(name, sizes, || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            ((state >> 40) as f32 / (1 << 24) as f32 - 0.5) / 5.0
        });
        self.drawn = state;
    }

    fn bytes(self) -> Vec<u8> {
        let mut bytes = b"GGUF".to_vec();
        bytes.extend(3_u32.to_le_bytes());
        bytes.extend(self.tensor_count.to_le_bytes());
        bytes.extend(self.key_count.to_le_bytes());
        bytes.extend(self.keys);
        bytes.extend(self.tensors);
        pad(&mut bytes);
        bytes.extend(self.weights);
        bytes
    }
}

fn string(bytes: &mut Vec<u8>, text: &str) {
    bytes.extend((text.len() as u64).to_le_bytes());
    bytes.extend(text.as_bytes());
}

fn pad(bytes: &mut Vec<u8>) {
    bytes.resize(bytes.len().next_multiple_of(ALIGNMENT), 0);
}
