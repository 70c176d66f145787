/**
 * The page in which the customers' component runs: a sandboxed frame inside the console's customer-facing pages.
 *
 * The component's script is foreign. With the console's origin it could read the operator's token and the stored lists
 * of rooms, so the page's policy gives it an opaque origin, also where it is opened by itself. From there it may make
 * the customers' public calls and nothing else. It leaves the frame by messages, which the console checks.
 */
import { createHash } from 'node:crypto'
import { customerPages, customerRoutes, maintenanceRoutes, type Route } from '@roomkeeper/contract'
import type { FastifyInstance } from 'fastify'

/** The path is known to the console, too. */
const framePath = '/customer_component'

/** Must be called after helmet is registered, because it replaces helmet's policy. @param url the component's script */
export function serveComponentFrame(app: FastifyInstance, url: string): void {
  const { page, script } = componentPage(url)
  const contentSecurityPolicy = framePolicy(new URL(url).origin, script)
  app.get(framePath, async (_, reply) => {
    await reply.helmet({ contentSecurityPolicy, xFrameOptions: { action: 'sameorigin' } })
    return reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(page)
  })
  answerOpaqueOrigins(app)
}

function framePolicy(origin: string, script: string) {
  const hash = createHash('sha256').update(script).digest('base64')
  return {
    useDefaults: false,
    directives: {
      // No allow-same-origin: the origin is opaque. Without allow-forms, a form would not even say that it was sent.
      sandbox: ['allow-scripts', 'allow-forms'],
      defaultSrc: ["'none'"],
      scriptSrc: [origin, `'sha256-${hash}'`],
      styleSrc: [origin, "'unsafe-inline'"],
      imgSrc: [origin, 'data:'],
      fontSrc: [origin],
      mediaSrc: [origin],
      connectSrc: ["'self'", origin],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'self'"],
    },
  }
}

function componentPage(url: string): { page: string; script: string } {
  const script = `(${componentFrameScript})(${JSON.stringify({ url, pages: customerPages }).replaceAll('<', '\\u003c')})`
  const page = `<!doctype html>
<html>
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex" />
    <title>Roomkeeper</title>
    <style>html { color-scheme: light dark } body { margin: 0; font-family: system-ui, sans-serif }</style>
  </head>
  <body><script>${script}</script></body>
</html>
`
  return { page, script }
}

/** The public calls of the customer-facing pages, by path and method. */
const customerCalls: ReadonlySet<string> = new Set(
  [...Object.values(customerRoutes), maintenanceRoutes.maintenance].map(
    ({ method, path }: Route) => `${method} ${path}`,
  ),
)

/**
 * Lets documents of an opaque origin read the answers of the customers' public calls. Anyone may make these calls; they
 * need no cookie and no token, so it does not matter whose document it is.
 */
function answerOpaqueOrigins(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.headers.origin !== 'null') return
    const asks = request.method === 'OPTIONS'
    const method = asks ? request.headers['access-control-request-method'] : request.method
    if (!customerCalls.has(`${method} ${request.url.split('?')[0]}`)) return
    reply.header('access-control-allow-origin', 'null').header('vary', 'Origin')
    if (!asks) return
    reply.header('access-control-allow-methods', method).header('access-control-allow-headers', 'content-type')
    await reply.header('access-control-max-age', '600').code(204).send()
  })
}

/**
 * What runs in the frame of the customers' component before the component does. A text, because its hash is in the
 * policy of the page. It loads the component, shows it with the page and the language that the console names, and turns
 * links to the console's customer-facing pages into messages.
 *
 * Messages to the console: `{ roomkeeper: 'ready' }`, `{ roomkeeper: 'failed' }`, `{ roomkeeper: 'open-room', name }` and
 * `{ roomkeeper: 'open-page', page }`. From the console: `{ roomkeeper: 'refused', why }`, the answer to `open-room`.
 */
const componentFrameScript = `function ({ url, pages }) {
  const element = 'customer-component'
  const tell = (message) => parent.postMessage(message, '*')
  const asked = new URLSearchParams(location.search)
  document.documentElement.lang = asked.get('lang') ?? 'en'
  customElements.whenDefined(element).then(() => {
    const component = document.createElement(element)
    for (const name of ['page', 'lang']) component.setAttribute(name, asked.get(name) ?? '')
    document.body.append(component)
    tell({ roomkeeper: 'ready' })
  })
  addEventListener('click', (event) => {
    const link = event.composedPath().find((each) => each instanceof HTMLAnchorElement && each.href !== '')
    const to = link === undefined ? null : new URL(link.href)
    const page = pages.find((each) => to !== null && to.host === location.host && to.pathname === new URL(each, location).pathname)
    if (page === undefined) return
    event.preventDefault()
    tell({ roomkeeper: 'open-page', page })
  })
  const script = document.createElement('script')
  script.type = 'module'
  script.src = url
  script.onerror = () => tell({ roomkeeper: 'failed' })
  document.head.append(script)
}`
