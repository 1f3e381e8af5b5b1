//! What goes out to servers, and what is read out of their replies.

use crate::common::{KEY, ask, chat, models, shape};
use futures_executor::block_on;
use serde_json::{Value, json};
use townsfolk_model::scripted::{Play, Request, Server};
use townsfolk_model::{Fault, Models, ModelsConfig, Speaker, Stop, Turn, Usage};

fn sent(server: &Server) -> Request {
    server.requests().pop().expect("a request")
}

#[test]
fn a_chat_request_carries_everything_in_the_order_that_caches_like() {
    let server = Server::playing(vec![Play::reply("{\"hour\":6}")]);
    let mut request = ask("Good morning.", Some(shape()));
    request.turns.push(Turn {
        speaker: Speaker::Model,
        text: "Hm.".to_owned(),
    });
    request.turns.push(Turn {
        speaker: Speaker::User,
        text: "何時ですか?".to_owned(),
    });
    let reply = chat(&models(&server, "openai:gpt-x", ""), &request).expect("an answer");
    assert_eq!(
        (reply.text.as_str(), reply.model.as_str(), reply.cut_off),
        ("{\"hour\":6}", "gpt-x", false)
    );
    let request = sent(&server);
    assert_eq!(request.path, "/v1/chat/completions");
    let body = request.json();
    let roles: Vec<&str> = body["messages"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|m| m["role"].as_str())
        .collect();
    assert_eq!(roles, ["system", "user", "assistant", "user"]);
    assert_eq!(request.prompt(), "何時ですか?");
    assert_eq!(
        request.system(),
        "You are Zoë O'Neill-Ångström, and answer in JSON."
    );
    assert_eq!(
        (
            &body["max_completion_tokens"],
            &body["temperature"],
            &body["seed"]
        ),
        (&json!(64), &json!(0.7), &json!(7))
    );
    let format = &body["response_format"]["json_schema"];
    assert_eq!(
        (&format["strict"], &format["schema"]["required"]),
        (&json!(true), &json!(["hour"]))
    );
}

#[test]
fn each_preset_asks_for_structure_in_its_own_way() {
    for (spec, expected) in [
        ("openai:x", "strict"),
        ("ollama:x", "schema"),
        ("llamacpp:x", "schema"),
        ("deepseek:x", "json"),
        ("wenxin:x", "json"),
        ("gpt4all:x", "plain"),
        ("anthropic:x", "tool"),
    ] {
        let server = Server::playing(vec![Play::reply("{\"hour\":6}")]);
        let reply = chat(&models(&server, spec, ""), &ask("When?", Some(shape()))).expect("an answer");
        assert_eq!(
            serde_json::from_str::<Value>(&reply.text).ok(),
            Some(json!({"hour": 6})),
            "{spec}"
        );
        let body = sent(&server).json();
        let format = &body["response_format"];
        let found = match format["type"].as_str() {
            Some("json_schema") if format["json_schema"]["strict"] == true => "strict",
            Some("json_schema") => "schema",
            Some("json_object") => "json",
            _ if body["tool_choice"]["name"] == "hour" => "tool",
            _ => "plain",
        };
        assert_eq!(found, expected, "{spec}");
    }
}

#[test]
fn anthropic_is_spoken_to_in_its_own_language() {
    let reply = json!({
        "model": "claude-x", "stop_reason": "max_tokens",
        "content": [{"type": "thinking", "thinking": "hmm"}, {"type": "text", "text": "Half an ans"}],
        "usage": {"input_tokens": 10, "cache_read_input_tokens": 90, "cache_creation_input_tokens": 5, "output_tokens": 7},
    });
    let server = Server::playing(vec![Play::json(200, reply)]);
    let reply = chat(&models(&server, "anthropic:claude-x", ""), &ask("Hello", None)).expect("an answer");
    assert_eq!((reply.text.as_str(), reply.cut_off), ("Half an ans", true));
    assert_eq!(
        reply.usage,
        Usage {
            input: 105,
            cached: 90,
            output: 7
        }
    );
    let request = sent(&server);
    assert_eq!(request.path, "/v1/messages");
    assert_eq!(request.header("x-api-key"), Some(KEY));
    assert_eq!(request.header("authorization"), None);
    assert_eq!(request.header("anthropic-version"), Some("2023-06-01"));
    let body = request.json();
    assert_eq!(
        (&body["max_tokens"], &body["system"][0]["cache_control"]["type"]),
        (&json!(64), &json!("ephemeral"))
    );
}

#[test]
fn hidden_reasoning_is_no_answer_and_running_out_of_tokens_is_no_fault() {
    let message = json!({"content": [{"type": "thinking", "thinking": []}, {"type": "text", "text": "Six."}],
        "reasoning_content": "She wakes early."});
    let choice = json!({"finish_reason": "length", "message": message});
    let usage = json!({"prompt_tokens": 100, "completion_tokens": 30, "prompt_tokens_details": {"cached_tokens": 64}});
    let spent = json!({"finish_reason": "length", "message": {"content": null, "reasoning": "Let me think"}});
    let server = Server::playing(vec![
        Play::json(200, json!({"choices": [choice], "usage": usage})),
        Play::json(
            200,
            json!({"choices": [spent], "usage": {"prompt_tokens": 3, "completion_tokens": 64}}),
        ),
    ]);
    let models = models(&server, "mistral:x", "");
    let reply = chat(&models, &ask("When?", None)).expect("an answer");
    assert_eq!((reply.text.as_str(), reply.cut_off), ("Six.", true));
    assert_eq!(
        reply.usage,
        Usage {
            input: 100,
            cached: 64,
            output: 30
        }
    );
    let reply = chat(&models, &ask("When?", None)).expect("an empty answer that was paid for");
    assert_eq!(
        (reply.text.as_str(), reply.cut_off, reply.usage.output),
        ("", true, 64)
    );
}

#[test]
fn tokens_of_answers_that_were_thrown_away_are_counted_too() {
    let usage = json!({"prompt_tokens": 100, "completion_tokens": 5});
    let server = Server::playing(vec![
        Play::json(200, json!({"choices": [], "usage": usage})),
        Play::json(
            200,
            json!({"choices": [{"message": {"content": ""}}], "usage": usage}),
        ),
        Play::json(
            200,
            json!({"choices": [{"message": {"content": "Six."}}], "usage": usage}),
        ),
    ]);
    let reply = chat(&models(&server, "groq:x", ""), &ask("When?", None)).expect("an answer");
    assert_eq!(
        (reply.text.as_str(), reply.usage.input, reply.usage.output),
        ("Six.", 300, 15)
    );
}

#[test]
fn tokens_are_estimated_where_nobody_counts_them() {
    let server = Server::playing(vec![Play::json(
        200,
        json!({"choices": [{"message": {"content": "六時に起きます"}}]}),
    )]);
    let request = ask("何時?", None);
    let reply = chat(&models(&server, "ollama:x", ""), &request).expect("an answer");
    let expected = Usage {
        input: townsfolk_model::estimate_prompt_tokens(&request),
        cached: 0,
        output: 7,
    };
    assert_eq!(reply.usage, expected);
}

#[test]
fn counts_that_no_call_can_have_are_not_believed() {
    let request = ask("When?", None);
    let estimate = Usage {
        input: townsfolk_model::estimate_prompt_tokens(&request),
        cached: 0,
        output: 1,
    };
    let said = |input: Value, output: Value| {
        let openai = json!({
            "choices": [{"message": {"content": "Six."}}],
            "usage": {"prompt_tokens": input, "completion_tokens": output},
        });
        let anthropic = json!({
            "content": [{"type": "text", "text": "Six."}],
            "usage": {"input_tokens": input, "output_tokens": output},
        });
        [("ollama:x", openai), ("anthropic:x", anthropic)].map(|(spec, body)| {
            let server = Server::playing(vec![Play::json(200, body)]);
            chat(&models(&server, spec, ""), &request)
                .expect("an answer")
                .usage
        })
    };
    for absurd in [
        json!(-3),
        json!(4e18),
        json!(100_000_001),
        json!("NaN"),
        json!(null),
        json!(2.5),
    ] {
        assert_eq!(said(absurd.clone(), json!(7)), [estimate; 2], "sent {absurd}");
        assert_eq!(said(json!(7), absurd.clone()), [estimate; 2], "received {absurd}");
    }
    let right = Usage {
        input: 100_000_000,
        cached: 0,
        output: 7,
    };
    assert_eq!(said(json!(100_000_000), json!(7)), [right; 2]);
}

#[test]
fn a_stream_nobody_asked_for_is_read_to_its_end() {
    let pieces = || vec!["{\"ho".to_owned(), "ur\": 6, \"so\": \"Zoë\"}".to_owned()];
    for spec in ["vllm:x", "anthropic:x"] {
        let server = Server::playing(vec![Play::Stream(pieces())]);
        let reply = chat(&models(&server, spec, ""), &ask("When?", None)).expect("an answer");
        assert_eq!(reply.text, "{\"hour\": 6, \"so\": \"Zoë\"}", "{spec}");
    }
}

#[test]
fn a_field_the_server_refuses_is_given_up_once_and_for_all() {
    for (field, words) in [
        ("response_format", "this model has no response_format"),
        (
            "temperature",
            "Unsupported value: 'temperature' does not support 0.7 with this model.",
        ),
        (
            "max_tokens",
            "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
        ),
        ("seed", "unknown field: seed"),
    ] {
        let server = Server::start(move |request| {
            if request.json()[field].is_null() {
                return Play::reply("{\"hour\":6}");
            }
            Play::json(
                400,
                json!({"error": {"message": words, "type": "invalid_request_error"}}),
            )
        });
        let models = models(&server, "server:x", "");
        for _ in 0..2 {
            chat(&models, &ask("When?", Some(shape()))).expect("an answer");
        }
        assert_eq!(
            server.count(),
            3,
            "{field} is refused once, then never sent again"
        );
        assert!(sent(&server).json()[field].is_null());
    }
}

#[test]
fn structure_is_given_up_step_by_step() {
    let server = Server::start(|request| {
        let format = &request.json()["response_format"];
        let problem = match format["type"].as_str() {
            Some("json_schema") if format["json_schema"]["strict"] == true => {
                "Invalid schema for response_format"
            }
            Some("json_schema") => "This model does not support response format `json_schema`",
            _ => return Play::reply("{\"hour\":6}"),
        };
        Play::json(400, json!({"error": {"message": problem}}))
    });
    let models = models(&server, "openai:x", "");
    for _ in 0..2 {
        chat(&models, &ask("When?", Some(shape()))).expect("an answer");
    }
    assert_eq!(server.count(), 4);
    assert_eq!(
        sent(&server).json()["response_format"],
        json!({"type": "json_object"})
    );
}

#[test]
fn a_server_that_takes_no_bounds_gets_the_schema_without_them_and_no_less() {
    let bounded = json!({"type": "object", "properties": {
        "ratings": {"type": "array", "minItems": 2, "maxItems": 2, "items": {"type": "integer", "minimum": 1}},
    }});
    for (spec, place) in [
        ("openai:x", "/response_format/json_schema/schema"),
        ("vllm:x", "/response_format/json_schema/schema"),
        ("anthropic:x", "/tools/0/input_schema"),
    ] {
        let server = Server::start(|request| match request.body.contains("minItems") {
            true => Play::json(
                400,
                json!({"error": {"message": "Invalid schema: 'minItems' is not permitted."}}),
            ),
            false => Play::reply("{\"ratings\": [3, 4]}"),
        });
        let models = models(&server, spec, "");
        let mut shape = shape();
        shape.schema = bounded.clone();
        for _ in 0..2 {
            chat(&models, &ask("How poignant?", Some(shape.clone()))).expect("an answer");
        }
        assert_eq!(server.count(), 3, "{spec}: refused once, then never sent again");
        let body = sent(&server).json();
        let ratings = json!({"type": "array", "items": {"type": "integer"}});
        let schema = body.pointer(place);
        assert_eq!(
            schema.map(|schema| &schema["properties"]["ratings"]),
            Some(&ratings)
        );
        let strict = &body["response_format"]["json_schema"]["strict"];
        assert_eq!(*strict == json!(true), spec == "openai:x", "{body}");
    }
}

#[test]
fn a_request_that_is_wrong_altogether_does_not_go_round_in_circles_and_teaches_nothing() {
    let server = Server::start(|request| match request.prompt().as_str() {
        "Six?" => Play::reply("{\"hour\":6}"),
        _ => Play::json(400, json!({"error": "temperature, seed, tools: all wrong"})),
    });
    let models = models(&server, "server:x", "");
    crate::common::expect(&crate::common::fault(&models), Fault::Request);
    assert_eq!(
        server.count(),
        4,
        "structure, temperature and seed are left out, then it is over"
    );
    chat(&models, &ask("Six?", Some(shape()))).expect("an answer");
    let body = sent(&server).json();
    for field in ["response_format", "temperature", "seed"] {
        assert!(
            !body[field].is_null(),
            "{field} is sent to a server that has not refused it"
        );
    }
}

/// Models with an embedder beside them.
fn embedder(server: &Server, spec: &str) -> Models {
    let url = server.base_url();
    let text = format!(
        "[thinking]\nmodel = \"ollama:x\"\n[embedding]\nmodel = \"{spec}\"\nbase_url = \"{url}\"\nretries = 0"
    );
    let config = ModelsConfig::read(&text, "t").expect("right");
    Models::open(&config, &crate::common::env, None, &Stop::default()).expect("opens")
}

#[test]
fn texts_are_embedded_in_batches_and_come_back_in_order() {
    let server = Server::playing(vec![Play::reply("")]);
    let models = embedder(&server, "dashscope:text-embedding-v4");
    let model = &models.embedding().expect("there is one").model;
    let texts: Vec<String> = (0..25).map(|number| format!("memory {number}")).collect();
    let all = block_on(model.embed(&texts)).expect("vectors");
    assert_eq!(all.vectors.len(), 25);
    assert!(all.usage.input > 0);
    let mut sizes: Vec<usize> = server
        .requests()
        .iter()
        .map(|request| request.texts().len())
        .collect();
    sizes.sort_unstable();
    assert_eq!(sizes, [5, 10, 10], "this provider takes ten at once");
    for (text, vector) in texts.iter().zip(&all.vectors) {
        let one = block_on(model.embed(std::slice::from_ref(text))).expect("a vector");
        assert_eq!(&one.vectors[0], vector);
    }
    assert_eq!(block_on(model.embed(&[])).expect("nothing").vectors.len(), 0);
}

#[test]
fn vectors_that_do_not_fit_the_texts_are_refused() {
    for data in [
        json!([{"index": 0, "embedding": [1, 2]}]),
        json!([{"index": 0, "embedding": [1, 2]}, {"index": 0, "embedding": [1, 2]}]),
        json!([{"index": 0, "embedding": [1, 2]}, {"index": 7, "embedding": [1, 2]}]),
        json!([{"index": 0, "embedding": [1, 2]}, {"index": 1, "embedding": [1]}]),
        json!([{"index": 0, "embedding": []}, {"index": 1, "embedding": []}]),
        json!([{"index": 0, "embedding": [1, 2]}, {"index": 1, "embedding": [0, 0.0]}]),
        json!([{"index": 0, "embedding": [1, "x"]}, {"index": 1, "embedding": [1, 2]}]),
        json!([{"index": 0, "embedding": "AAAA"}, {"index": 1, "embedding": [1, 1e300]}]),
        json!("none"),
    ] {
        let server = Server::playing(vec![Play::json(200, json!({"data": data}))]);
        let models = embedder(&server, "openai:text-embedding-3-small");
        let texts = ["one".to_owned(), "two".to_owned()];
        let error = block_on(models.embedding().expect("one").model.embed(&texts)).expect_err("is wrong");
        assert_eq!(error.fault, Fault::Unreadable, "{data}");
        assert_eq!(error.model, "openai:text-embedding-3-small");
    }
}
