/**
 * Unsuccessful answers that are not refusals, by their code or status: the server has a bug, could not read the
 * request, or a program between the console and the server answered instead.
 */
export const otherAnswers = {
  'internal-error': {
    title: 'Internal error',
    detail: 'Something went wrong on our side. Please report the request id {{request}}.',
  },
  'status-400': { title: 'Bad Request', detail: 'This is not a well-formed HTTP request.' },
  'status-404': { title: 'Not Found', detail: 'The server answered 404 Not Found.' },
  'status-405': { title: 'Method Not Allowed', detail: 'The server answered 405 Method Not Allowed.' },
  'status-408': { title: 'Request Timeout', detail: 'The rest of the request did not come in time.' },
  'status-413': { title: 'Payload Too Large', detail: 'The server answered 413 Payload Too Large.' },
  'status-429': { title: 'Too Many Requests', detail: 'The server answered 429 Too Many Requests.' },
  'status-431': { title: 'Request Header Fields Too Large', detail: 'The head of the request is too long.' },
  'status-500': { title: 'Internal Server Error', detail: 'The server answered 500 Internal Server Error.' },
  'status-502': { title: 'Bad Gateway', detail: 'The server answered 502 Bad Gateway.' },
  'status-503': { title: 'Service Unavailable', detail: 'The server answered 503 Service Unavailable.' },
  'status-504': { title: 'Gateway Timeout', detail: 'The server answered 504 Gateway Timeout.' },
  other: { title: 'Unexpected answer', detail: 'The server answered {{status}}.' },
} as const
export type OtherAnswer = keyof typeof otherAnswers
