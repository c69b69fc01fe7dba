# docker build -t trialyst .
# docker run -p 127.0.0.1:8080:8080 -v trialyst:/data trialyst      the web site, the v2 API and MCP over HTTP
# docker run -i --rm -v trialyst:/data trialyst mcp                 MCP over standard input and output

# The full image has a compiler, for the compiled module and for what has no wheel on some platforms.
FROM python:3.11 AS build
WORKDIR /source
RUN python -m venv --without-pip /opt/trialyst
COPY requirements.txt ./
RUN pip --python /opt/trialyst/bin/python install --no-cache-dir --require-hashes -r requirements.txt
COPY pyproject.toml setup.py README.md LICENSE NOTICE ./
COPY src ./src
RUN pip --python /opt/trialyst/bin/python install --no-cache-dir --no-deps --no-build-isolation .

FROM python:3.11-slim
COPY --from=build /opt/trialyst /opt/trialyst
RUN useradd --uid 10001 --create-home trialyst && install -d -o trialyst -g trialyst /data
ENV PATH=/opt/trialyst/bin:$PATH TRIALYST_HOME=/data
USER trialyst
VOLUME /data
EXPOSE 8080
# Ctrl-C is what ends the server in order, also while it is still building the starter registry.
STOPSIGNAL SIGINT
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["python", "-c", "import http.client as h, sys; c = h.HTTPConnection('127.0.0.1', 8080, timeout=4); c.request('GET', '/api/v2/version'); sys.exit(c.getresponse().status not in (200, 401))"]
ENTRYPOINT ["trialyst"]
CMD ["serve", "--host", "0.0.0.0"]
