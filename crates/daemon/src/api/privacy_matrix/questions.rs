//! What is asked: for every route of the `OpenAPI` document, requests that might bring something out.
//!
//! A route that is not in here fails the matrix. To add one, add a line to [`examples`]; `JOB` in a path or a body stands for the number
//! of a job, and each such request is made for every job there is and for one that there is not.

use super::board::{OWNERS, job_ids};

/// Stands for a job's number.
pub const JOB: &str = "{JOB}";
/// A number that no job has.
pub const NO_JOB: &str = "5550000000";
/// A name that nobody bears, where a name might be tried.
pub const NOBODY: &str = "MORK-nobody-user";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    pub method: &'static str,
    pub path: String,
    pub body: Option<String>,
    /// What is asked, if somebody else's word for it must bring the same answer: the word, and one that means nothing.
    pub tried: Option<(String, &'static str)>,
}

impl Question {
    fn get(path: &str) -> Self {
        Self { method: "GET", path: path.to_owned(), body: None, tried: None }
    }

    fn post(path: &str, body: &str) -> Self {
        Self { method: "POST", body: Some(body.to_owned()), ..Self::get(path) }
    }

    /// The same with something else in place of what is tried.
    pub fn with(&self, word: &str, other: &str) -> Self {
        let replaced = |text: &str| text.replace(word, other);
        Self { path: replaced(&self.path), body: self.body.as_deref().map(replaced), method: self.method, tried: None }
    }
}

/// What to ask of a route by its path in the document; nothing if it is not known.
fn examples(path: &str) -> Option<Vec<Question>> {
    let get = |paths: &[&str]| paths.iter().map(|path| Question::get(path)).collect();
    Some(match path {
        "/v1/jobs/{id}/forecast" => get(&[
            "/v1/jobs/{JOB}/forecast",
            "/v1/jobs/{JOB}_3/forecast",
            "/v1/jobs/{JOB}_%5B1-5%5D/forecast",
            "/v1/jobs/{JOB}+0/forecast",
            "/v1/jobs/x/forecast",
            "/v1/jobs/7.batch/forecast",
        ]),
        "/v1/queue" => {
            let mut questions: Vec<Question> =
                get(&["/v1/queue", "/v1/queue?limit=1000", "/v1/queue?limit=0", "/v1/queue?walltime=1"]);
            for owner in OWNERS {
                let after = job_ids(owner)[0] - 1;
                questions.push(Question::get(&format!("/v1/queue?limit=1&after={after}")));
                for (field, kind) in [("user", "user"), ("partition", "partition"), ("user", "account")] {
                    let word = format!("MARK-{owner}-{kind}");
                    let question = Question::get(&format!("/v1/queue?{field}={word}"));
                    questions.push(Question { tried: Some((word, NOBODY)), ..question });
                }
            }
            questions
        }
        "/v1/jobs/{id}/limit" => get(&["/v1/jobs/{JOB}/limit", "/v1/jobs/x/limit"]),
        "/v1/jobs/{id}/why" => get(&["/v1/jobs/{JOB}/why", "/v1/jobs/x/why"]),
        "/v1/forecast" => {
            let mut questions = supposed(path, str::to_owned);
            questions.push(Question::post(path, "["));
            questions
        }
        "/v1/limit" | "/v1/where" => supposed(path, str::to_owned),
        "/v1/size" => supposed(path, |job| format!(r#"{{"job": {job}, "speedup": "amdahl:0.1"}}"#)),
        "/v1/forecast/table" => {
            let of = |more: &str| {
                supposed(path, |job| format!(r#"{{"job": {job}, "nodes": [1, 2], "limits_seconds": [60, 600]{more}}}"#))
            };
            let mut questions = of("");
            questions.extend(of(r#", "gpus": [0, 2], "every_partition": true"#));
            questions
        }
        "/v1/notifications" => {
            let asked = r#"{"job": "{JOB}", "before_seconds": 600, "to": {"by": "mail"}}"#;
            vec![Question::get(path), Question::post(path, asked), Question::post(path, "{}")]
        }
        "/v1/notifications/{id}/cancel" => vec![Question::post("/v1/notifications/0123456789abcdef/cancel", "{}")],
        "/v1/changes" => get(&["/v1/changes?wait_seconds=0", "/v1/changes?wait_seconds=26", "/v1/changes?since=1"]),
        "/v1/waits" => {
            let mut questions: Vec<Question> =
                get(&[path, "/v1/waits?size=1%20node", "/v1/waits?size=huge", "/v1/waits?user=x"]);
            for word in ["MARK-alice-partition", "MARK-bob-partition", "MARK-many-score"].map(str::to_owned) {
                let question = Question::get(&format!("{path}?partition={word}"));
                questions.push(Question { tried: Some((word, NOBODY)), ..question });
            }
            questions
        }
        "/v1/what-if" => {
            let asked = r#"{"weeks": 1, "policy": "easy", "predictor": "exec:x"}"#;
            vec![Question::get(path), Question::post(path, asked), Question::post(path, "{}")]
        }
        "/v1/operations" | "/v1/score" | "/v1/health" | "/metrics" | "/openapi.json" => get(&[path]),
        _ => return None,
    })
}

/// Jobs that do not exist, also as somebody else's; `asked` makes a body of each.
fn supposed(path: &str, asked: impl Fn(&str) -> String) -> Vec<Question> {
    let plain =
        ["{}", r#"{"partition": "nowhere"}"#, r#"{"nodes": 100000}"#, r#"{"walltime": 1}"#, r#"{"name": "run"}"#];
    let mut questions: Vec<Question> = plain.iter().map(|job| Question::post(path, &asked(job))).collect();
    for owner in OWNERS {
        for field in ["user", "partition"] {
            let word = format!("MARK-{owner}-{field}");
            let job = format!(r#"{{"{field}": "{word}", "name": "MARK-{owner}-name"}}"#);
            questions.push(Question { tried: Some((word, NOBODY)), ..Question::post(path, &asked(&job)) });
        }
    }
    questions
}

/// Everything that can be asked; the routes are the document's own.
pub fn questions(document: &str) -> Vec<Question> {
    let document: serde_json::Value = serde_json::from_str(document).expect("the document is JSON");
    let paths = document["paths"].as_object().expect("it has paths");
    let mut questions = Vec::new();
    for (path, methods) in paths {
        let of_route = examples(path).unwrap_or_else(|| panic!("add {path} to the examples of the privacy matrix"));
        for method in methods.as_object().expect("methods").keys() {
            let is_asked = of_route.iter().any(|question| question.method.eq_ignore_ascii_case(method));
            assert!(is_asked, "add {method} {path} to the examples of the privacy matrix");
        }
        for question in of_route {
            if !question.path.contains(JOB) && !question.body.as_ref().is_some_and(|body| body.contains(JOB)) {
                questions.push(question);
                continue;
            }
            for job in OWNERS.into_iter().flat_map(job_ids).map(|id| id.to_string()).chain(["9182733000".to_owned()]) {
                let asked = question.with(JOB, &job);
                questions.push(Question { tried: Some((job, NO_JOB)), ..asked });
            }
        }
    }
    // What is refused before any route.
    questions.extend(["/nowhere", "/v1/jobs/9182731000", "/v1/users", "/v1/forecast"].map(Question::get));
    questions.push(Question::post("/v1/queue", "{}"));
    questions.push(Question::post("/v1/jobs/9182731000/forecast", "{}"));
    questions.push(Question { body: None, ..Question::post("/v1/forecast", "") });
    questions
}
