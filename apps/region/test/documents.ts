/** Makes requests for documents like the front end of a room. */
export interface DocumentCaller {
  put(id: string, body: unknown): Promise<Response>
  get(id: string): Promise<Response>
  remove(id: string): Promise<Response>
}

export function documentsOf(url: string, room: string, token: string, database = 'main'): DocumentCaller {
  const call = (method: string, id: string, body?: unknown) =>
    fetch(`${url}/rooms/${room}/databases/${encodeURIComponent(database)}/documents/${encodeURIComponent(id)}`, {
      method,
      redirect: 'manual',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    })
  return {
    put: (id, body) => call('PUT', id, body),
    get: (id) => call('GET', id),
    remove: (id) => call('DELETE', id),
  }
}
