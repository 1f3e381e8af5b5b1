//! An HTTP server that plays providers and their faults, for tests and benches.
//!
//! A [`Server`] listens on a free port of this machine and answers every request with the [`Play`]
//! its script gives: a function of the [`Request`], or a list played in order. It speaks plain TCP,
//! so it can do what no proper server does: stop in the middle, drip, hang, reset. It speaks the
//! OpenAI-compatible protocol and Anthropic's, each to whoever asks in it, keeps every request, and
//! counts how many were open at once. Only with the feature `scripted`.

mod babble;

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;

pub use babble::{Babble, Words};

/// A request as it came in.
#[derive(Clone, Debug)]
pub struct Request {
    /// Which request to this server it is, from 0.
    pub number: usize,
    /// Such as `/v1/chat/completions`.
    pub path: String,
    /// Names in small letters, in order.
    pub headers: Vec<(String, String)>,
    /// The body, as text.
    pub body: String,
}

impl Request {
    /// The body as JSON; null where it is none.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or(Value::Null)
    }

    /// A header by its name in small letters.
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(header, _)| header == name);
        found.map(|(_, value)| value.as_str())
    }

    /// What stays the same from call to call: the system message, or nothing.
    pub fn system(&self) -> String {
        let body = self.json();
        if !body["system"].is_null() {
            return text_of(&body["system"]);
        }
        let messages = body["messages"].as_array().cloned().unwrap_or_default();
        let system = messages.iter().find(|message| message["role"] == "system");
        system
            .map(|message| text_of(&message["content"]))
            .unwrap_or_default()
    }

    /// The last message.
    pub fn prompt(&self) -> String {
        let body = self.json();
        let messages = body["messages"].as_array().cloned().unwrap_or_default();
        messages
            .last()
            .map(|message| text_of(&message["content"]))
            .unwrap_or_default()
    }

    /// The texts to embed.
    pub fn texts(&self) -> Vec<String> {
        let body = self.json();
        let texts = body["input"].as_array().cloned().unwrap_or_default();
        texts
            .iter()
            .filter_map(|text| text.as_str().map(str::to_owned))
            .collect()
    }

    /// The JSON schema the answer is to have, where the request names one.
    pub fn schema(&self) -> Option<Value> {
        let body = self.json();
        let places = [
            &body["response_format"]["json_schema"]["schema"],
            &body["tools"][0]["input_schema"],
        ];
        places.into_iter().find(|schema| schema.is_object()).cloned()
    }

    fn is_anthropic(&self) -> bool {
        self.path.ends_with("/messages")
    }

    fn is_embedding(&self) -> bool {
        self.path.ends_with("/embeddings")
    }
}

/// The text of a message's content: itself, or its blocks joined.
fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => blocks.iter().filter_map(|block| block["text"].as_str()).collect(),
        _ => String::new(),
    }
}

/// What the server does with a request.
#[derive(Clone, Debug)]
pub enum Play {
    /// A model's answer in the protocol of the request. A request for embeddings gets vectors of
    /// eight numbers that depend on the texts alone.
    Reply(String),
    /// Status, headers and body as they are.
    Raw {
        /// The HTTP status.
        status: u16,
        /// Headers beside length and type.
        headers: Vec<(String, String)>,
        /// The body.
        body: String,
    },
    /// All headers of the request, in the text of a refused key.
    EchoHeaders,
    /// Pieces of an answer as server-sent events, and the end mark.
    Stream(Vec<String>),
    /// The same, but the connection ends without the end mark.
    CutStream(Vec<String>),
    /// The head promises all of the body; half of it comes, then the connection ends.
    Half(String),
    /// An answer, one byte after the other, with a pause after each.
    Drip(String, Duration),
    /// A reply whose text has that many bytes.
    Huge(usize),
    /// The connection is reset before a byte of answer.
    Reset,
    /// Nothing, for as long as the server lives.
    Hang,
    /// Another play, later.
    After(Duration, Box<Play>),
}

impl Play {
    /// A model's answer.
    pub fn reply(text: impl Into<String>) -> Play {
        Play::Reply(text.into())
    }

    /// Any JSON body.
    pub fn json(status: u16, body: Value) -> Play {
        Play::Raw {
            status,
            headers: Vec::new(),
            body: body.to_string(),
        }
    }

    /// Any body.
    pub fn text(status: u16, body: &str) -> Play {
        Play::Raw {
            status,
            headers: Vec::new(),
            body: body.to_owned(),
        }
    }

    /// The same play, with a header more; only on bodies given as they are.
    pub fn with_header(mut self, name: &str, value: &str) -> Play {
        if let Play::Raw { headers, .. } = &mut self {
            headers.push((name.to_owned(), value.to_owned()));
        }
        self
    }

    /// The same play, after a while.
    pub fn after(self, latency: Duration) -> Play {
        Play::After(latency, Box::new(self))
    }

    /// Status 404: there is no such model.
    pub fn no_such_model() -> Play {
        let message = "The model `gone-1` does not exist or you do not have access to it.";
        Play::json(
            404,
            json!({"error": {"message": message, "code": "model_not_found", "type": "invalid_request_error"}}),
        )
    }

    /// Status 401: the key is refused.
    pub fn bad_key() -> Play {
        Play::json(
            401,
            json!({"error": {"message": "Incorrect API key provided.", "code": "invalid_api_key"}}),
        )
    }

    /// Status 429: no credit is left.
    pub fn no_quota() -> Play {
        let message = "You exceeded your current quota, please check your plan and billing details.";
        Play::json(
            429,
            json!({"error": {"message": message, "code": "insufficient_quota"}}),
        )
    }

    /// Status 429: come back in that many seconds.
    pub fn busy(retry_after_seconds: f64) -> Play {
        Play::json(
            429,
            json!({"error": {"message": "Rate limit reached for requests", "code": "rate_limit_exceeded"}}),
        )
        .with_header("retry-after", &retry_after_seconds.to_string())
    }

    /// Status 500.
    pub fn broken() -> Play {
        Play::json(500, json!({"error": {"message": "The server had an error"}}))
    }
}

/// What the server remembers.
struct State {
    script: Box<dyn Fn(&Request) -> Play + Send + Sync>,
    requests: Mutex<Vec<Request>>,
    open: AtomicUsize,
    most_open: AtomicUsize,
}

/// A running server; it ends when dropped.
pub struct Server {
    address: SocketAddr,
    state: Arc<State>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Starts a server that answers by a function of the request.
    ///
    /// # Panics
    /// Where no port can be had: a test cannot go on then.
    pub fn start(script: impl Fn(&Request) -> Play + Send + Sync + 'static) -> Server {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port on this machine");
        listener
            .set_nonblocking(true)
            .expect("a listener that can be awaited");
        let address = listener.local_addr().expect("the listener has an address");
        let state = Arc::new(State {
            script: Box::new(script),
            requests: Mutex::default(),
            open: AtomicUsize::new(0),
            most_open: AtomicUsize::new(0),
        });
        let (stop, stopped) = oneshot::channel::<()>();
        let shared = state.clone();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .expect("a runtime for the scripted server");
            runtime.block_on(async move {
                let listener = TcpListener::from_std(listener).expect("the listener is not blocking");
                let accept = async {
                    while let Ok((stream, _)) = listener.accept().await {
                        tokio::spawn(serve(stream, shared.clone()));
                    }
                };
                tokio::select! {
                    () = accept => {}
                    _ = stopped => {}
                }
            });
        });
        Server {
            address,
            state,
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    /// Starts a server that plays a list in order, and its last play for ever after.
    pub fn playing(plays: Vec<Play>) -> Server {
        assert!(!plays.is_empty(), "a script has at least one play");
        Server::start(move |request| plays[request.number.min(plays.len() - 1)].clone())
    }

    /// Where the API begins, such as `http://127.0.0.1:40123/v1`.
    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Every request so far, in the order they came in.
    pub fn requests(&self) -> Vec<Request> {
        self.state
            .requests
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// How many requests came in so far.
    pub fn count(&self) -> usize {
        self.state
            .requests
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .len()
    }

    /// How many requests were waiting for their answer at the same time, at most.
    pub fn most_at_once(&self) -> usize {
        self.state.most_open.load(Ordering::SeqCst)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            // The thread may be gone already.
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Answers one connection until it is closed.
async fn serve(mut stream: TcpStream, state: Arc<State>) {
    // Small pieces go out at once; where that cannot be had, they go out later.
    let _ = stream.set_nodelay(true);
    let mut buffer = Vec::new();
    while let Some((path, headers, body)) = read_request(&mut stream, &mut buffer).await {
        let request = {
            let mut requests = state.requests.lock().unwrap_or_else(PoisonError::into_inner);
            let request = Request {
                number: requests.len(),
                path,
                headers,
                body,
            };
            requests.push(request.clone());
            request
        };
        let open = state.open.fetch_add(1, Ordering::SeqCst) + 1;
        state.most_open.fetch_max(open, Ordering::SeqCst);
        let play = (state.script)(&request);
        let kept = perform(&mut stream, &request, play).await;
        state.open.fetch_sub(1, Ordering::SeqCst);
        if kept.is_none() {
            return;
        }
    }
}

/// Path, headers and body of the next request; nothing where the connection ends.
async fn read_request(
    stream: &mut TcpStream,
    buffer: &mut Vec<u8>,
) -> Option<(String, Vec<(String, String)>, String)> {
    let head_end = loop {
        if let Some(at) = buffer.windows(4).position(|window| window == b"\r\n\r\n") {
            break at;
        }
        read_more(stream, buffer).await?;
    };
    let head = String::from_utf8_lossy(&buffer[..head_end]).into_owned();
    let mut lines = head.split("\r\n");
    let path = lines.next()?.split(' ').nth(1)?.to_owned();
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.trim().to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length: usize = length.and_then(|(_, value)| value.parse().ok()).unwrap_or(0);
    let end = head_end + 4 + length;
    while buffer.len() < end {
        read_more(stream, buffer).await?;
    }
    let body = String::from_utf8_lossy(&buffer[head_end + 4..end]).into_owned();
    buffer.drain(..end);
    Some((path, headers, body))
}

async fn read_more(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Option<()> {
    let mut chunk = [0; 16 * 1024];
    let read = stream.read(&mut chunk).await.ok().filter(|read| *read > 0)?;
    buffer.extend_from_slice(&chunk[..read]);
    Some(())
}

/// Plays an answer; nothing where the connection is over.
async fn perform(stream: &mut TcpStream, request: &Request, play: Play) -> Option<()> {
    let mut play = play;
    while let Play::After(latency, later) = play {
        tokio::time::sleep(latency).await;
        play = *later;
    }
    match play {
        Play::After(..) => None,
        Play::Reply(text) => {
            let body = normal_body(request, &text).to_string();
            send(stream, &head(200, &[], "application/json", body.len()), &body).await
        }
        Play::Raw {
            status,
            headers,
            body,
        } => {
            let kind = if body.starts_with(['{', '[']) {
                "application/json"
            } else {
                "text/plain"
            };
            send(stream, &head(status, &headers, kind, body.len()), &body).await
        }
        Play::EchoHeaders => {
            let said: Vec<String> = request
                .headers
                .iter()
                .map(|(name, value)| format!("{name}: {value}"))
                .collect();
            let body = json!({"error": {"message": format!("Refused request with {}", said.join("; "))}});
            let body = body.to_string();
            send(stream, &head(401, &[], "application/json", body.len()), &body).await
        }
        Play::Stream(pieces) => {
            stream_events(stream, request, &pieces).await?;
            let end = if request.is_anthropic() {
                "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"
            } else {
                "data: [DONE]\n\n"
            };
            let _ = stream.write_all(end.as_bytes()).await;
            None
        }
        Play::CutStream(pieces) => {
            stream_events(stream, request, &pieces).await?;
            None
        }
        Play::Half(text) => {
            let body = normal_body(request, &text).to_string();
            let mut half = body.len() / 2;
            while !body.is_char_boundary(half) {
                half += 1;
            }
            send(
                stream,
                &head(200, &[], "application/json", body.len()),
                &body[..half],
            )
            .await?;
            None
        }
        Play::Drip(text, pause) => {
            let body = normal_body(request, &text).to_string();
            send(stream, &head(200, &[], "application/json", body.len()), "").await?;
            for byte in body.as_bytes() {
                stream.write_all(&[*byte]).await.ok()?;
                tokio::time::sleep(pause).await;
            }
            Some(())
        }
        Play::Huge(bytes) => {
            let body = normal_body(request, &"x".repeat(bytes)).to_string();
            send(stream, &head(200, &[], "application/json", body.len()), &body).await
        }
        Play::Reset => {
            // Without lingering, closing sends a reset instead of a proper end.
            let _ = stream.set_zero_linger();
            None
        }
        Play::Hang => std::future::pending().await,
    }
}

async fn stream_events(stream: &mut TcpStream, request: &Request, pieces: &[String]) -> Option<()> {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
    stream.write_all(head.as_bytes()).await.ok()?;
    for piece in pieces {
        let event = if request.is_anthropic() {
            let delta =
                json!({"type": "content_block_delta", "delta": {"type": "text_delta", "text": piece}});
            format!("event: content_block_delta\ndata: {delta}\n\n")
        } else {
            format!(
                "data: {}\n\n",
                json!({"choices": [{"delta": {"content": piece}}]})
            )
        };
        stream.write_all(event.as_bytes()).await.ok()?;
    }
    stream.flush().await.ok()
}

fn head(status: u16, headers: &[(String, String)], kind: &str, length: usize) -> String {
    let more: String = headers
        .iter()
        .map(|(name, value)| format!("{name}: {value}\r\n"))
        .collect();
    format!("HTTP/1.1 {status} Status\r\n{more}content-type: {kind}\r\ncontent-length: {length}\r\n\r\n")
}

async fn send(stream: &mut TcpStream, head: &str, body: &str) -> Option<()> {
    // In one piece: a head on its own would wait for the other side's delayed acknowledgement.
    stream.write_all(format!("{head}{body}").as_bytes()).await.ok()?;
    stream.flush().await.ok()
}

/// A healthy provider's body. It counts a token for every four bytes.
fn normal_body(request: &Request, text: &str) -> Value {
    let asked = request.json();
    let model = asked["model"].as_str().unwrap_or("scripted");
    let (input, output) = (request.body.len().div_ceil(4), text.len().div_ceil(4));
    if request.is_embedding() {
        let texts = request.texts();
        let input: usize = texts.iter().map(|text| text.len().div_ceil(4)).sum();
        let data: Vec<Value> = texts
            .iter()
            .enumerate()
            .map(|(index, text)| json!({"index": index, "embedding": vector_of(text)}))
            .collect();
        return json!({"model": model, "data": data, "usage": {"prompt_tokens": input}});
    }
    if request.is_anthropic() {
        let forced = asked["tool_choice"]["name"].as_str();
        let fitting = forced.and_then(|name| Some((name, serde_json::from_str::<Value>(text).ok()?)));
        let (block, reason) = match fitting {
            Some((name, input)) => (
                json!({"type": "tool_use", "id": "call_0", "name": name, "input": input}),
                "tool_use",
            ),
            None => (json!({"type": "text", "text": text}), "end_turn"),
        };
        return json!({
            "type": "message", "role": "assistant", "model": model, "content": [block],
            "stop_reason": reason, "usage": {"input_tokens": input, "output_tokens": output},
        });
    }
    json!({
        "object": "chat.completion", "model": model,
        "choices": [{
            "index": 0, "finish_reason": "stop",
            "message": {"role": "assistant", "content": text},
        }],
        "usage": {"prompt_tokens": input, "completion_tokens": output, "total_tokens": input + output},
    })
}

/// Eight numbers made of a text's bytes.
fn vector_of(text: &str) -> Vec<f32> {
    let mut vector = [0.0f32; 8];
    for (at, byte) in text.bytes().enumerate() {
        vector[(usize::from(byte) + at) % 8] += f32::from(byte) / 255.0;
    }
    vector[0] += 1.0;
    vector.to_vec()
}
