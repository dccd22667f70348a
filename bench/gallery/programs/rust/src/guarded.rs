//! Serves limiters that an application asks itself.

use crate::{BODY, KEY, PATH};
use axum::http::{HeaderMap, StatusCode, header::CONTENT_TYPE};
use axum::{Router, routing::get};
use std::sync::Arc;

/// Whether a request of a key is admitted.
pub type Admits = Arc<dyn Fn(&str) -> bool + Send + Sync>;

pub async fn serve(admits: Admits, address: &str) {
    let answer = move |headers: HeaderMap| {
        let key = headers.get(KEY).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let admitted = admits(key);
        async move {
            let status = if admitted { StatusCode::OK } else { StatusCode::TOO_MANY_REQUESTS };
            (status, [(CONTENT_TYPE, "application/json")], if admitted { BODY } else { "{}" })
        }
    };
    serve_router(Router::new().route(PATH, get(answer)), address).await;
}

pub async fn serve_router(router: Router, address: &str) {
    let listener = tokio::net::TcpListener::bind(address).await.expect("a free port");
    axum::serve(listener, router).await.expect("a server");
}
