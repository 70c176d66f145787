/**
 * The API reference at /api/reference: Swagger UI with the document of /api/openapi.json. All of it comes from this
 * server, and is read when the page is opened first. Anyone may ask for it, so answers must be cheap: each file is
 * compressed once.
 */
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

const referencePath = '/api/reference'
const require = createRequire(import.meta.url)
const files = { 'swagger-ui.css': 'text/css', 'swagger-ui-bundle.js': 'text/javascript' } as const

export function serveReference(app: FastifyInstance, publicPath: string): void {
  const page = referencePage(publicPath)
  app.get(referencePath, async (_, reply) => reply.type('text/html; charset=utf-8').send(page))
  for (const [name, { type, content }] of Object.entries(referenceParts)) {
    app.get(`${referencePath}/${name}`, async (_, reply) => reply.type(`${type}; charset=utf-8`).send(content))
  }
  for (const [name, type] of Object.entries(files)) {
    const readCompressed = compressedOnce(name)
    // Without HEAD, for which the whole file would be read.
    app.get(`${referencePath}/${name}`, { exposeHeadRoute: false }, async ({ headers }, reply) => {
      const tag = `"${version()}"`
      reply.type(`${type}; charset=utf-8`)
      // Browsers ask each time, and get the file once for each version.
      reply.header('cache-control', 'no-cache').header('etag', tag).header('vary', 'accept-encoding')
      if (headers['if-none-match'] === tag) return reply.code(304).send()
      if (!/\bgzip\b/.test(headers['accept-encoding'] ?? '')) return reply.send(createReadStream(pathOf(name)))
      return reply.header('content-encoding', 'gzip').send(await readCompressed())
    })
  }
}

/** @returns the gzipped content of the file. Calls that come at once wait for the same */
function compressedOnce(name: string): () => Promise<Buffer> {
  let content: Promise<Buffer> | null = null
  return () => {
    content ??= readFile(pathOf(name)).then((whole) => promisify(gzip)(whole))
    content.catch(() => {
      content = null
    })
    return content
  }
}

function pathOf(name: string): string {
  return join(dirname(description()), name)
}

function version(): string {
  return (require(description()) as { version: string }).version
}

function description(): string {
  return require.resolve('swagger-ui-dist/package.json')
}

const relativePath = referencePath.slice(1)

/**
 * The colours are set before the first paint. The page has no `<base>`, because Swagger UI's links within the page would
 * then lead to it.
 * @param publicPath the path of PUBLIC_URL, with a slash at its end
 */
const referencePage = (publicPath: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Roomkeeper API</title>
<link rel="icon" href="data:,">
<script src="${publicPath}${relativePath}/colour-scheme.js"></script>
<link rel="stylesheet" href="${publicPath}${relativePath}/swagger-ui.css">
<link rel="stylesheet" href="${publicPath}${relativePath}/colours.css">
<script src="${publicPath}${relativePath}/swagger-ui-bundle.js" defer></script>
<script src="${publicPath}${relativePath}/start.js" defer></script>
</head>
<body><div id="reference"></div></body>
</html>
`

/** The class is Swagger UI's; only its bar at the top, which this page has not, would set it. */
const colourScheme = `const system = matchMedia('(prefers-color-scheme: dark)')
const apply = () => document.documentElement.classList.toggle('dark-mode', system.matches)
apply()
system.addEventListener('change', apply)
`

/**
 * A token that is entered to try a call stays in the memory of the page. No other server is asked to validate. The
 * theme of examples is the one whose colours can all be read on their background.
 */
const start = `SwaggerUIBundle({
  url: new URL('../openapi.json', document.currentScript.src).href,
  domNode: document.getElementById('reference'),
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  persistAuthorization: false,
  queryConfigEnabled: false,
  syntaxHighlight: { theme: 'tomorrow-night' },
  validatorUrl: null,
  withCredentials: false,
})
`

/** Where a text of Swagger UI has less contrast than 4.5:1: the same colours, darker or lighter. */
const colours = `html:not(.dark-mode) .swagger-ui {
  .info a,
  .info a .url {
    color: #1f69c0;
  }
  .info .title small.version-stamp {
    background: #4a7000;
  }
  .btn.authorize,
  .btn.authorize :is(span, svg) {
    border-color: #1a7f4f;
    color: #1a7f4f;
  }
  .btn.execute {
    border-color: #1f69c0;
    background: #1f69c0;
  }
  .btn.cancel {
    border-color: #c42626;
    color: #c42626;
  }
  .opblock.opblock-get .opblock-summary-method {
    background: #1f69c0;
  }
  .opblock.opblock-post .opblock-summary-method {
    background: #1a7f4f;
  }
  .opblock.opblock-put .opblock-summary-method {
    background: #9a5a00;
  }
  .opblock.opblock-delete .opblock-summary-method {
    background: #c42626;
  }
  .parameter__in {
    color: #5c5c5c;
  }
  .parameter__name.required span,
  .parameter__name.required::after {
    color: #c42626;
  }
  .renderedMarkdown code {
    color: #7a00e6;
  }
  .json-schema-2020-12-expand-deep-button {
    color: #505050;
  }
  .json-schema-2020-12__constraint--string {
    background: #8a5a00;
  }
}
html.dark-mode .swagger-ui ::placeholder {
  color: #a4a9ad;
}
html.dark-mode .swagger-ui .opblock {
  .opblock-section-header .try-out__btn.cancel {
    border-color: #ff8080;
    color: #ff8080;
  }
  &.opblock-put .opblock-section-header {
    background: #523524;
  }
}
`

/** By their names below the page. */
const referenceParts = {
  'colour-scheme.js': { type: 'text/javascript', content: colourScheme },
  'start.js': { type: 'text/javascript', content: start },
  'colours.css': { type: 'text/css', content: colours },
} as const
