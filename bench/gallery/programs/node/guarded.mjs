// A bare server for limiters that decide and leave the answer to their user.

export const path = '/v1/media';
export const answer = { success: true, data: {} };

/** Answers 200 where `admits(key)` is true, else the barest 429. */
export function guarded(admits) {
  return async (request, response) => {
    const isAdmitted = await admits(request.headers.authorization ?? '');
    if (!isAdmitted) return response.writeHead(429).end();
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  };
}

/** The same, for limiters that know one client only: one is made for each key. */
export function guardedEach(make) {
  const known = new Map();
  return guarded((key) => {
    if (!known.has(key)) known.set(key, make());
    return known.get(key)();
  });
}
