# Effigy as a small image without a shell, run by a user without rights.
#
#   docker build -t effigy .
#   docker run -p 3005:3005 -v effigy:/data effigy
#
# Other bases may be given where these cannot be had; the first needs Rust and a C compiler, the
# second the C library of the first.
ARG BUILD_IMAGE=docker.io/library/rust:1-bookworm
ARG RUN_IMAGE=gcr.io/distroless/cc-debian12:nonroot

FROM ${BUILD_IMAGE} AS build
WORKDIR /src
COPY . .
RUN cargo build --profile dist --locked -p effigy \
    && install -D target/dist/effigy /out/usr/bin/effigy \
    && install -d /out/data

FROM ${RUN_IMAGE}
COPY --from=build /out/usr/bin/effigy /usr/bin/effigy
# The user has to own the folder of the database; a volume on it takes this over.
COPY --from=build --chown=65532:65532 /out/data /data
ENV DATABASE_URL=sqlite:/data/effigy.db
USER 65532:65532
WORKDIR /data
VOLUME /data
EXPOSE 3005
# Whether it answers at all: that Mojang is down is no reason to start it anew.
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s \
    CMD ["/usr/bin/effigy", "health", "--live", "--timeout", "4s"]
ENTRYPOINT ["/usr/bin/effigy"]
CMD ["serve"]
