# Effigy as a small image without a shell, run by an unprivileged user.
#
#   docker build -t effigy .
#   docker run -p 3005:3005 -v effigy:/data effigy
#
# These two arguments select other base images. The first image needs Rust and a C compiler. The
# second needs the same C library as the first.
ARG BUILD_IMAGE=docker.io/library/rust:1-bookworm
ARG RUN_IMAGE=gcr.io/distroless/cc-debian12:nonroot

FROM ${BUILD_IMAGE} AS build
WORKDIR /src
COPY . .
RUN cargo build --release --locked -p effigy \
    && install -D target/release/effigy /out/usr/bin/effigy \
    && install -d /out/data

FROM ${RUN_IMAGE}
COPY --from=build /out/usr/bin/effigy /usr/bin/effigy
COPY LICENSE /usr/share/doc/effigy/copyright
# The user has to own the folder of the database. A volume mounted here takes over its owner.
COPY --from=build --chown=65532:65532 /out/data /data
# EFFIGY_DATABASE_URL replaces this setting, and so does DATABASE_URL, which platforms set.
ENV DATABASE_URL=sqlite:/data/effigy.db
USER 65532:65532
WORKDIR /data
VOLUME /data
EXPOSE 3005
# Requests `/livez`, not `/health`, because a restart does not help when Mojang is down.
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s \
    CMD ["/usr/bin/effigy", "health", "--live", "--timeout", "4s"]
ENTRYPOINT ["/usr/bin/effigy"]
CMD ["serve"]
