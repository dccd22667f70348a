//! Serves `actix-extensible-rate-limit`, with its headers.

use crate::{BODY, KEY, PATH, Rule};
use actix_extensible_rate_limit::RateLimiter;
use actix_extensible_rate_limit::backend::SimpleInputFunctionBuilder;
use actix_extensible_rate_limit::backend::memory::InMemoryBackend;
use actix_web::dev::ServiceRequest;
use actix_web::{App, HttpResponse, HttpServer, rt, web};

pub fn serve(rule: Rule, address: &str) {
    let backend = InMemoryBackend::builder().with_gc_interval(None).build();
    let server = HttpServer::new(move || {
        let by_key = SimpleInputFunctionBuilder::new(rule.window, rule.limit.into()).custom_fn(|request: &ServiceRequest| {
            let key = request.headers().get(KEY).and_then(|value| value.to_str().ok());
            Ok(key.unwrap_or_default().to_owned())
        });
        let limiter = RateLimiter::builder(backend.clone(), by_key.build()).add_headers().build();
        let answer = || async { HttpResponse::Ok().content_type("application/json").body(BODY) };
        App::new().wrap(limiter).route(PATH, web::get().to(answer))
    });
    let serving = server.bind(address).expect("a free port").run();
    rt::System::new().block_on(serving).expect("a server");
}
