import type { LocalServer } from '../../proof/programs/server-program.ts';
import { serveOnLoopback } from '../gallery/serve-on-loopback.ts';

/**
 * A service that refuses each request with another page of HTML, as what stands before many services does: 6,000 characters, in
 * lines, with escapes of HTML and URLs.
 */
export function startPages(): Promise<LocalServer> {
  let asked = 0;
  return serveOnLoopback((_request, response) => {
    asked += 1;
    response.writeHead(429, {
      'content-type': 'text/html; charset=UTF-8',
      'x-ratelimit-limit': '1',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': '1780000000',
      'retry-after': '60',
    });
    response.end(`${beforeId}${asked}${afterId}`);
  });
}

const reason = Array.from(
  { length: 40 },
  (_, n) =>
    `    <div class="section row-${n}" style="width: ${2 * n}%">\n      <p>You are asking too often&nbsp;&mdash; please wait a little.</p>\n    </div>`,
).join('\n');

const beforeId = `<!doctype html>
<html lang="en">
  <head>
    <title>Too many requests</title>
    <link rel="stylesheet" href="/errors/main.css?v=1&amp;theme=light">
    <script>document.documentElement.className = "js"; var path = /^\\/v1\\/(\\w+)$/;</script>
  </head>
  <body>
${reason}
    <p><a href="/help?from=%2Fv1%2Fstatus&amp;code=429">Help</a>, with the number `;
const afterId = '</p>\n  </body>\n</html>\n';
