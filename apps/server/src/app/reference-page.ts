/** The page at /api/reference, and its parts that are not Swagger UI's. */

export const referencePath = '/api/reference'

const relativePath = referencePath.slice(1)

/**
 * The colours are set before the first paint. The page has no `<base>`, because Swagger UI's links within the page would
 * then lead to it.
 * @param publicPath the path of PUBLIC_URL, with a slash at its end
 */
export const referencePage = (publicPath: string) => `<!doctype html>
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
 * A token that somebody enters to try a call stays in the memory of the page. No other server is asked to validate. The
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
export const referenceParts = {
  'colour-scheme.js': { type: 'text/javascript', content: colourScheme },
  'start.js': { type: 'text/javascript', content: start },
  'colours.css': { type: 'text/css', content: colours },
} as const
