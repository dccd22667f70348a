//! Serves `tower_governor`, with its headers.

use crate::guarded::serve_router;
use crate::{BODY, KEY, PATH, Rule};
use axum::http::{Request, header::CONTENT_TYPE};
use axum::{Router, routing::get};
use tower_governor::governor::GovernorConfigBuilder;
use tower_governor::key_extractor::KeyExtractor;
use tower_governor::{GovernorError, GovernorLayer};

#[derive(Clone)]
struct ByKey;

impl KeyExtractor for ByKey {
    type Key = String;

    fn extract<T>(&self, request: &Request<T>) -> Result<String, GovernorError> {
        let key = request.headers().get(KEY).and_then(|value| value.to_str().ok());
        key.map(str::to_owned).ok_or(GovernorError::UnableToExtractKey)
    }
}

pub async fn serve(rule: Rule, address: &str) {
    let config = GovernorConfigBuilder::default()
        .period(rule.window / rule.limit)
        .burst_size(rule.limit)
        .key_extractor(ByKey)
        .use_headers()
        .finish()
        .expect("a rule");
    let answer = || async { ([(CONTENT_TYPE, "application/json")], BODY) };
    serve_router(Router::new().route(PATH, get(answer)).layer(GovernorLayer::new(config)), address).await;
}
