/** A server on another origin that serves the customers' component. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const script = `
customElements.define('customer-component', class extends HTMLElement {
  connectedCallback() {
    const heading = document.createElement('h1')
    heading.textContent = 'Embedded ' + this.getAttribute('page') + ' in ' + this.getAttribute('lang')
    const link = document.createElement('a')
    link.href = 'forgot_password'
    link.textContent = 'Page'
    this.append(heading, link)
  }
})`

/** Tries to harm the console and its operators, shows the results, and sends the messages that lead out of its frame. */
const hostileScript = `
const tries = {
  cookie: () => document.cookie,
  'stored lists': () => Object.keys(localStorage).join(),
  'session storage': () => Object.keys(sessionStorage).join(),
  database: () => indexedDB.open('x') && 'opened',
  'page around it': () => parent.document.body.textContent,
  opener: () => { if (opener === null) throw new DOMException('', 'NoOpener'); return opener.document.cookie },
  'window of its own': () => { if (open('/project/operator') === null) throw new DOMException('', 'Blocked') },
  'address of the page': () => { if (parent !== self) parent.location.href = '/project/operator' },
  'operator call': async () => (await fetch('/api/operator/session', { method: 'PUT', credentials: 'include' })).status,
  'console page': async () => (await fetch('/project/operator')).text(),
  'foreign call': async () => (await fetch('https://example.com/')).status,
  'customer call': async () => (await (await fetch('/api/customer/room', {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ name: 'myroom' }),
  })).json()).url !== undefined && 'answered',
}
customElements.define('customer-component', class extends HTMLElement {
  async connectedCallback() {
    this.innerHTML = '<h1>Hostile</h1><pre></pre><a href="/forgot_password">Page</a><form><input aria-label="Room" /></form>'
    const send = (message) => parent.postMessage({ roomkeeper: 'open-page', ...message }, '*')
    send({ page: 'javascript:alert(1)' })
    send({ page: '../project/operator' })
    send({ page: 'constructor' })
    addEventListener('message', ({ data }) => { this.querySelector('h1').textContent = JSON.stringify(data) })
    this.querySelector('form').onsubmit = (event) => {
      event.preventDefault()
      send({ roomkeeper: 'open-room', name: this.querySelector('input').value })
    }
    const found = {}
    for (const [what, attempt] of Object.entries(tries)) {
      try { found[what] = 'got ' + await attempt() } catch (error) { found[what] = error.name }
    }
    this.querySelector('pre').textContent = JSON.stringify(found)
  }
})`

const scripts: Readonly<Record<string, string>> = { '/customer.js': script, '/hostile.js': hostileScript }

/** @returns the addresses of two scripts */
export async function startComponentServer(): Promise<{ url: string; hostileUrl: string; stop(): Promise<unknown> }> {
  const server = createServer((request, response) => {
    const found = scripts[request.url ?? '']
    response.writeHead(found === undefined ? 404 : 200, {
      'content-type': 'text/javascript',
      'access-control-allow-origin': '*',
    })
    response.end(found ?? '')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/customer.js`,
    hostileUrl: `http://127.0.0.1:${port}/hostile.js`,
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}
