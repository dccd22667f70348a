//! Serves one limiter on loopback: gallery NAME LIMIT SECONDS PORT. Each limits GET /v1/media for each Authorization header.

mod actix;
mod guarded;
mod limiters;
mod salvo_server;
mod tower_server;

use std::time::Duration;

pub const PATH: &str = "/v1/media";
pub const BODY: &str = r#"{"success":true,"data":{}}"#;
pub const KEY: &str = "authorization";

/// What a limiter keeps.
#[derive(Clone, Copy)]
pub struct Rule {
    pub limit: u32,
    pub window: Duration,
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [name, limit, seconds, port] = args.as_slice() else {
        panic!("usage: gallery NAME LIMIT SECONDS PORT");
    };
    let rule = Rule { limit: number(limit), window: Duration::from_secs(number(seconds).into()) };
    let address = format!("127.0.0.1:{port}");
    match name.as_str() {
        "actix" => actix::serve(rule, &address),
        "salvo-fixed" | "salvo-sliding" => run(salvo_server::serve(rule, name == "salvo-sliding", address)),
        "tower-governor" => run(tower_server::serve(rule, &address)),
        _ => run(guarded::serve(limiters::named(name, rule), &address)),
    }
}

fn number(text: &str) -> u32 {
    text.parse().unwrap_or_else(|_| panic!("{text} is not a number"))
}

fn run(serving: impl Future<Output = ()>) {
    tokio::runtime::Runtime::new().expect("a runtime").block_on(serving);
}
