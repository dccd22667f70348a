//! Limiters that an application asks itself.

use crate::Rule;
use crate::guarded::Admits;
use governor::{Quota, RateLimiter};
use pingora_limits::rate::{PROPORTIONAL_RATE_ESTIMATE_CALC_FN, Rate};
use ratelimit::Ratelimiter;
use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex};

/// The limiter of this name, under a rule.
pub fn named(name: &str, rule: Rule) -> Admits {
    match name {
        "governor" => governor(rule),
        "leaky-bucket" => leaky_bucket(rule),
        "pingora" => pingora(rule),
        "pingora-proportional" => pingora_proportional(rule),
        "ratelimit" => ratelimit(rule),
        _ => panic!("no limiter is called {name}"),
    }
}

/// A limiter of its own for each key, made when it is first asked for.
fn for_each<L: Send + Sync + 'static>(make: impl Fn() -> L + Send + Sync + 'static, ask: fn(&L) -> bool) -> Admits {
    let limiters: Mutex<HashMap<String, Arc<L>>> = Mutex::default();
    Arc::new(move |key| {
        let limiter = limiters.lock().expect("no panic").entry(key.to_owned()).or_insert_with(|| Arc::new(make())).clone();
        ask(&limiter)
    })
}

fn governor(rule: Rule) -> Admits {
    let burst = NonZeroU32::new(rule.limit).expect("a limit");
    let quota = Quota::with_period(rule.window / rule.limit).expect("a window").allow_burst(burst);
    let limiter = RateLimiter::keyed(quota);
    Arc::new(move |key| limiter.check_key(&key.to_owned()).is_ok())
}

fn leaky_bucket(rule: Rule) -> Admits {
    let limit = rule.limit as usize;
    for_each(
        move || {
            leaky_bucket::RateLimiter::builder()
                .initial(limit)
                .max(limit)
                .refill(1)
                .interval(rule.window / rule.limit)
                .build()
        },
        |limiter| limiter.try_acquire(1),
    )
}

fn ratelimit(rule: Rule) -> Admits {
    for_each(
        move || {
            let limiter = Ratelimiter::builder(rule.limit.into())
                .period(rule.window)
                .max_tokens(rule.limit.into())
                .initial_available(rule.limit.into());
            limiter.build().expect("a limiter")
        },
        |limiter| limiter.try_wait().is_ok(),
    )
}

/// As its manual does it: whatever was seen in this interval counts, also what was refused.
fn pingora(rule: Rule) -> Admits {
    let rate = Rate::new(rule.window);
    Arc::new(move |key| rate.observe(&key, 1) <= rule.limit as isize)
}

/// What is left of the interval before counts too; a refused request is not observed.
fn pingora_proportional(rule: Rule) -> Admits {
    let rate = Mutex::new(Rate::new(rule.window));
    Arc::new(move |key| {
        let rate = rate.lock().expect("no panic");
        let per_second = rate.rate_with(&key, PROPORTIONAL_RATE_ESTIMATE_CALC_FN);
        let admitted = per_second * rule.window.as_secs_f64() + 1.0 <= f64::from(rule.limit);
        if admitted {
            rate.observe(&key, 1);
        }
        admitted
    })
}
