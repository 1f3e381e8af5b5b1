//! Who is answered and who is not.

use townsfolk_server::{Others, ServeOptions, Server};

use crate::common::{HOUR, Served, ask, two_neighbours};

/// A name that is not ours is refused, whatever machine it leads to.
#[test]
fn another_sites_name_for_this_machine_is_refused() {
    let served = Served::finished();
    let address = served.address();
    let port = address.port();
    let ours = [
        format!("localhost:{port}"),
        format!("127.0.0.1:{port}"),
        format!("[::1]:{port}"),
        "localhost".into(),
    ];
    for host in ours {
        assert_eq!(
            ask(address, "GET", "/api/run", &[("host", &host)], "").status,
            200,
            "{host}"
        );
    }
    for host in [
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.evil.example:80",
        "",
    ] {
        let reply = ask(address, "GET", "/api/run", &[("host", host)], "");
        assert_eq!(reply.status, 403, "{host}");
        assert!(
            reply.json()["remedy"]
                .as_str()
                .is_some_and(|remedy| remedy.contains("127.0.0.1"))
        );
    }
}

/// A page of another site can neither read nor steer.
#[test]
fn another_sites_page_is_refused() {
    let served = Served::finished();
    let address = served.address();
    let own = format!("http://{address}");
    let body = r#"{"command":"pause"}"#;
    let json = ("content-type", "application/json");
    let post = |headers: &[(&str, &str)]| ask(address, "POST", "/api/control", headers, body).status;
    assert_eq!(post(&[json, ("origin", &own)]), 200);
    for origin in ["https://evil.example", "null", "http://127.0.0.1:1"] {
        assert_eq!(post(&[json, ("origin", origin)]), 403, "{origin}");
        let upgrade = [
            ("origin", origin),
            ("connection", "upgrade"),
            ("upgrade", "websocket"),
        ];
        assert_eq!(ask(address, "GET", "/api/live", &upgrade, "").status, 403);
    }
    assert_eq!(post(&[json, ("sec-fetch-site", "cross-site")]), 403);
    // A form can send text and its own kinds, but never JSON.
    assert_eq!(post(&[("content-type", "text/plain")]), 415);
    assert_eq!(post(&[]), 415);
}

/// Every answer forbids what the page does not need.
#[test]
fn every_answer_carries_the_policy() {
    let served = Served::finished();
    for path in ["/", "/api/run", "/api/map", "/api/nothing", "/nothing"] {
        let reply = served.get(path);
        let policy = reply.header("content-security-policy").unwrap_or_default();
        assert!(
            policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"),
            "{path}"
        );
        assert!(
            !policy.contains("unsafe") && !policy.contains('*') && !policy.contains("http"),
            "{path}"
        );
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(reply.header("x-frame-options"), Some("DENY"));
        assert_eq!(reply.header("referrer-policy"), Some("no-referrer"));
    }
}

/// Nothing outside of the page's own files is ever read.
#[test]
fn no_path_leads_out() {
    let served = Served::finished();
    for path in [
        "/../Cargo.toml",
        "/..%2f..%2fCargo.toml",
        "/%2e%2e/%2e%2e/etc/passwd",
        "//etc/passwd",
        "/a.run",
    ] {
        let reply = served.get(path);
        assert_eq!(reply.status, 404, "{path}: {}", reply.text());
    }
}

/// With a token nothing of the run is told without it; the page may have it as a cookie, scripts as a
/// header; and it is never repeated.
#[test]
fn a_token_is_asked_for_and_never_repeated() {
    let options = ServeOptions {
        token: Some("correct horse battery staple".to_owned()),
        ..ServeOptions::default()
    };
    let served = Served::recorded(two_neighbours(), HOUR, options);
    let address = served.address();
    let get = |headers: &[(&str, &str)]| ask(address, "GET", "/api/run", headers, "");
    for headers in [
        &[][..],
        &[("authorization", "Bearer wrong")],
        &[("authorization", "Bearer correct horse battery stapl")],
        &[("cookie", "townsfolk=correct horse battery staple")],
    ] {
        let reply = get(headers);
        assert_eq!(reply.status, 401, "{headers:?}");
        assert!(!reply.text().contains("staple"));
    }
    assert_eq!(ask(address, "GET", "/api/live", &[], "").status, 401);
    assert_eq!(
        get(&[("authorization", "Bearer correct horse battery staple")]).status,
        200
    );
    let session = |token: &str| {
        let body = serde_json::json!({ "token": token }).to_string();
        ask(
            address,
            "POST",
            "/api/session",
            &[("content-type", "application/json")],
            &body,
        )
    };
    assert_eq!(session("wrong").status, 401);
    let entered = session("correct horse battery staple");
    assert_eq!(entered.status, 204);
    let cookie = entered.header("set-cookie").expect("a cookie").to_owned();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"));
    let pair = cookie.split(';').next().expect("a pair");
    assert_eq!(get(&[("cookie", &format!("theme=dark; {pair}"))]).status, 200);
    let link = served
        .server
        .as_ref()
        .map(|server| server.link().to_owned())
        .unwrap_or_default();
    assert!(link.ends_with("#token=correct horse battery staple"));
}

/// Outside of this machine there is always a token, and a different one each time.
#[test]
fn a_server_for_others_makes_its_own_token() {
    let open = || {
        let options = ServeOptions {
            host: Some("0.0.0.0".to_owned()),
            ..ServeOptions::default()
        };
        Served::recorded(two_neighbours(), 10, options)
    };
    let (one, other) = (open(), open());
    let token = |served: &Served| {
        let link = served
            .server
            .as_ref()
            .map(|server| server.link().to_owned())
            .unwrap_or_default();
        link.split_once("#token=")
            .map(|(_, token)| token.to_owned())
            .expect("a token")
    };
    assert_eq!(token(&one).len(), 48);
    // Whoever is to come from elsewhere gets a link that leads here from there, if the machine has an address.
    match one.server.as_ref().map(Server::others) {
        Some(Others::Link(link)) => {
            let at = link.strip_prefix("http://").and_then(|rest| rest.split_once('/'));
            let (host, secret) = at.expect("a link");
            let seen: std::net::SocketAddr = host.parse().expect("an address");
            assert!(
                !seen.ip().is_loopback() && seen.port() == one.address().port(),
                "{link}"
            );
            assert_eq!(secret, format!("#token={}", token(&one)));
        }
        others => assert_eq!(others, Some(&Others::Unknown)),
    }
    let alone = Served::finished();
    assert_eq!(alone.server.as_ref().map(Server::others), Some(&Others::SameLink));
    assert_ne!(token(&one), token(&other));
    let local = std::net::SocketAddr::from(([127, 0, 0, 1], one.address().port()));
    assert_eq!(ask(local, "GET", "/api/run", &[], "").status, 401);
    let bearer = format!("Bearer {}", token(&one));
    assert_eq!(
        ask(local, "GET", "/api/run", &[("authorization", &bearer)], "").status,
        200
    );
}
