# The command with k6, for `docker run … run --url …`: docs/image.md says how. Nothing is fetched when it runs.
FROM grafana/k6:2.2.0 AS k6

FROM node:26.10.0-trixie-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build

FROM node:26.10.0-trixie-slim
LABEL org.opencontainers.image.title="messaging-conformance" \
      org.opencontainers.image.description="Proves whether a deployed messaging API keeps the rate limits of its document." \
      org.opencontainers.image.version="0.1.0"
# k6 looks for certificates of authorities where Debian has them, and a slim image has none. The newest are wanted.
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install --yes --no-install-recommends ca-certificates \
 && rm -rf /var/lib/apt/lists/*
COPY --from=k6 /usr/bin/k6 /usr/local/bin/k6
COPY --from=build /build/package.json /opt/conformance/package.json
COPY --from=build /build/dist /opt/conformance/dist
RUN ln -s /opt/conformance/dist/conformance.js /usr/local/bin/conformance
# Nothing is written but runs/ below the working directory, and what k6 and Node keep for a while below /tmp.
ENV HOME=/tmp
WORKDIR /work
USER 1000:1000
# It ends by itself, and its exit status is its health.
HEALTHCHECK NONE
ENTRYPOINT ["conformance"]
CMD ["--help"]
