# The service in a container. No image was ever built of this file where it was written: tests/host/container.test.ts runs
# its steps in plain folders, with the same commands, files, settings, user and health check.
FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY package.json package-lock.json ./
# Without scripts, so without the Node that npm would bring: the image has one.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN node tools/build/main.mjs

FROM node:24-bookworm-slim
WORKDIR /app
COPY --from=build /src/package.json /src/local.settings.sample.json ./
COPY --from=build /src/dist/bundle dist/bundle
COPY --from=build /src/dist/explorer dist/explorer
COPY --from=build /src/dist/third-party-notices.txt dist/
COPY --from=build /src/tools/launch.mjs tools/
COPY --from=build /src/shared/node-flags.json shared/
COPY --from=build /src/docs docs
COPY --from=build /src/shared/http/pages/files shared/http/pages/files
COPY --from=build /src/node_modules/swagger-ui-dist node_modules/swagger-ui-dist
COPY --from=build /src/node_modules/altcha-lib/dist node_modules/altcha-lib/dist
COPY --from=build /src/data-loaders/samples data-loaders/samples
# The root file system may be read-only: all that is written is below /data, and what npm notes is below /tmp. Without
# scripts npm run, as in "npm run keys -- list", builds nothing.
RUN mkdir /data && chown node:node /data
ENV NODE_ENV=production HOST=0.0.0.0 PORT=7071 WATER_DATA_DIR=/data HOME=/tmp npm_config_ignore_scripts=true
USER node
VOLUME /data
EXPOSE 7071
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "tools/launch.mjs", "start"]
