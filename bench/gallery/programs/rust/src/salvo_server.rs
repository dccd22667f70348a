//! Serves Salvo's limiters, with their headers.

use crate::{BODY, KEY, PATH, Rule};
use salvo::prelude::*;
use salvo::rate_limiter::{BasicQuota, CelledQuota, FixedGuard, MokaStore, RateIssuer, RateLimiter, SlidingGuard};

/// A window has as many cells.
const CELLS: usize = 6;

struct ByKey;

impl RateIssuer for ByKey {
    type Key = String;

    async fn issue(&self, request: &mut Request, _: &Depot) -> Option<String> {
        request.header(KEY)
    }
}

#[handler]
async fn answer(response: &mut Response) {
    response.render(Text::Json(BODY));
}

pub async fn serve(rule: Rule, is_sliding: bool, address: String) {
    let limit = rule.limit as usize;
    let window = time::Duration::try_from(rule.window).expect("a window");
    let limited = Router::with_path(PATH.trim_start_matches('/'));
    let limited = if is_sliding {
        let quota = CelledQuota::new(limit, CELLS, window);
        limited.hoop(RateLimiter::new(SlidingGuard::new(), MokaStore::new(), ByKey, quota).add_headers(true))
    } else {
        let quota = BasicQuota::new(limit, window);
        limited.hoop(RateLimiter::new(FixedGuard::new(), MokaStore::new(), ByKey, quota).add_headers(true))
    };
    let acceptor = TcpListener::new(address).bind().await;
    Server::new(acceptor).serve(limited.get(answer)).await;
}
