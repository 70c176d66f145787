/** A server on another origin that serves the customers' component. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const script = `
customElements.define('customer-component', class extends HTMLElement {
  connectedCallback() {
    const heading = document.createElement('h1')
    heading.textContent = 'Embedded ' + this.getAttribute('page') + ' in ' + this.getAttribute('lang')
    this.append(heading)
  }
})`

/** @returns the script's address; `/gone.js` beside it does not exist */
export async function startComponentServer(): Promise<{ url: string; stop(): Promise<unknown> }> {
  const server = createServer((request, response) => {
    const isThere = request.url === '/customer.js'
    response.writeHead(isThere ? 200 : 404, {
      'content-type': 'text/javascript',
      'access-control-allow-origin': '*',
    })
    response.end(isThere ? script : '')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/customer.js`,
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}
