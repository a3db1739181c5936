# The image of Kurz, for amd64 and arm64. See docs/containers.md.
ARG NODE_IMAGE=node:22.22.2-bookworm-slim
ARG BASE_IMAGE=debian:12.14-slim

# Installs the packages in package-lock.json, builds the console, and keeps what the server needs.
FROM ${NODE_IMAGE} AS build
WORKDIR /opt/kurz
COPY package.json package-lock.json .npmrc ./
# The only package whose own script is needed: it puts the runtime in its place.
RUN npm ci --ignore-scripts && npm rebuild bun
COPY . .
RUN npm run build && npm prune --omit=dev --ignore-scripts && npm run trim \
  # The runtime for other processors and under another name.
  && rm -rf node_modules/@oven node_modules/bun/bin/bunx.exe node_modules/.bin/bunx

FROM ${BASE_IMAGE}
LABEL org.opencontainers.image.title="Kurz" \
  org.opencontainers.image.description="Short links you host yourself" \
  org.opencontainers.image.licenses="MIT"
# The numbers are fixed, so that volumes keep their owner.
RUN groupadd --gid 10001 kurz \
  && useradd --uid 10001 --gid kurz --home-dir /var/lib/kurz --no-create-home --shell /usr/sbin/nologin kurz \
  && install -d -o kurz -g kurz -m 700 /var/lib/kurz /var/backups/kurz \
  && ln -s /opt/kurz/bin/kurz /usr/local/bin/kurz
WORKDIR /opt/kurz
# What changes least comes first: an upgrade then only fetches the rest.
COPY --from=build /opt/kurz/node_modules node_modules
COPY --from=build /opt/kurz/LICENSE /opt/kurz/NOTICE /opt/kurz/THIRD_PARTY_LICENSES /opt/kurz/package.json ./
COPY --from=build /opt/kurz/bin bin
COPY --from=build /opt/kurz/container container
COPY --from=build /opt/kurz/contract contract
COPY --from=build /opt/kurz/shared shared
COPY --from=build /opt/kurz/dist dist
COPY --from=build /opt/kurz/src src

# A directory inside the volume, since a volume can't be replaced as a whole.
ENV KURZ_HOST=0.0.0.0 KURZ_PORT=8080 KURZ_DATA_DIR=/var/lib/kurz/data
# As numbers: Kubernetes can't tell from a name that it isn't root.
USER 10001:10001
WORKDIR /var/lib/kurz
VOLUME ["/var/lib/kurz"]
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["/opt/kurz/node_modules/.bin/bun", "/opt/kurz/container/healthcheck.ts"]
# Without a shell in between, so that the server gets the signal to stop.
ENTRYPOINT ["kurz"]
CMD ["serve"]
