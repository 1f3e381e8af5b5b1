//! Server-sent events, for servers that stream without being asked.

/// The data of each event, in order. An event that was cut off in the middle is in it as far as it
/// came.
pub(crate) fn events(body: &str) -> Vec<String> {
    let mut events = Vec::new();
    let mut data: Vec<&str> = Vec::new();
    for line in body.lines().chain(std::iter::once("")) {
        if line.is_empty() {
            if !data.is_empty() {
                events.push(data.join("\n"));
                data.clear();
            }
        } else if let Some(text) = line.strip_prefix("data:") {
            data.push(text.strip_prefix(' ').unwrap_or(text));
        }
    }
    events
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_names_are_skipped_and_lines_of_data_joined() {
        let body = ": hello\r\nevent: x\r\ndata: {\"a\":\r\ndata: 1}\r\n\r\ndata:[DONE]";
        assert_eq!(events(body), ["{\"a\":\n1}", "[DONE]"]);
        assert!(events("").is_empty());
    }
}
