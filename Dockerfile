# Runs Modelgate as one process, not as root. The root file system can be read-only, because it writes only to /data.
# docs/guides/deploying.md explains how to run it; compose.yaml runs two gateways.

FROM node:24.21.0-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY client/sdk/package.json client/sdk/
COPY client/pages/package.json client/pages/
# The optional packages contain Node, which this image already has.
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund

# Builds the console, the portal, and the documentation. Here, the optional packages are needed: they contain the compilers of Vite.
FROM node:24.21.0-slim AS pages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY client/sdk/package.json client/sdk/
COPY client/pages/package.json client/pages/
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY contract contract
COPY client/connect client/connect
COPY client/pages/build client/pages/build
COPY client/pages/src client/pages/src
RUN node client/pages/build/build.ts
COPY docs docs
COPY README.md CHANGELOG.md ./
COPY client/sdk/README.md client/sdk/
RUN node docs/site/build.ts --partial

FROM node:24.21.0-slim
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY package.json LICENSE ./
COPY contract contract
COPY client/connect client/connect
COPY client/verify client/verify
COPY server server
COPY --from=pages /app/docs/generated/openapi.json /app/docs/generated/openapi-3.2.json /app/docs/generated/admin-openapi.json \
  /app/docs/generated/public-models.json /app/docs/generated/field-probes.json docs/generated/
COPY --from=pages /app/client/pages/dist client/pages/dist
COPY --from=pages /app/docs/site/dist docs/site/dist
# A new volume gets the owner and mode of this folder.
RUN install -d -o node -g node -m 0700 /data
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 MODELGATE_DATA=/data
VOLUME /data
EXPOSE 8080
USER node
STOPSIGNAL SIGTERM
# Healthy if the store responds and the process is not stopping. Calls no upstream.
HEALTHCHECK --interval=5s --timeout=4s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Runs without a shell or npm, so that signals reach the gateway.
CMD ["node", "server/operate/launch.mjs", "serve"]
