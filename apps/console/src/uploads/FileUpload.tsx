import { type Answer, ProblemError, problemOf, type Route, uploadRoutes } from '@roomkeeper/contract'
import { useCallback } from 'react'
import { z } from 'zod'
import { client, newTrace, noteAnswer } from '#api/client.ts'
import { readToken } from '#api/token.ts'
import { textOf } from '#locales/error-texts.ts'
import { UploadBox, type UploadBoxProps } from '#ui/upload/UploadBox.tsx'

type Uploaded<Name extends UploadRoute> = Answer<Name>['body']

type FileUploadProps<Name extends UploadRoute> = Omit<
  UploadBoxProps<Uploaded<Name>>,
  'send' | 'textOf' | 'mayRepeat'
> & {
  route: Name
  /** Why an accepted upload cannot be used here, or null. Must be stable. */
  whyUnfit?: (answer: Uploaded<Name>) => string | null
}

/** Uploads one file to a route of the contract as soon as it is chosen. */
export function FileUpload<Name extends UploadRoute>({ route, whyUnfit, ...rest }: FileUploadProps<Name>) {
  const send = useCallback(
    async (file: File, options: UploadOptions) => {
      const answer = await uploadFile(route, file, options)
      const reason = whyUnfit?.(answer) ?? null
      if (reason !== null) throw new UnfitUpload(reason)
      return answer
    },
    [route, whyUnfit],
  )
  return <UploadBox {...rest} send={send} textOf={textOfFailure} mayRepeat={mayRepeat} />
}

function textOfFailure(error: unknown): string {
  return error instanceof UnfitUpload ? error.message : textOf(error)
}

function mayRepeat(error: unknown): boolean {
  return !(error instanceof UnfitUpload) && uploadMayBeRepeated(error)
}

/** The server accepted the file, but it cannot be used here; the message says why, in the operator's language. */
class UnfitUpload extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'UnfitUpload'
  }
}

/** The routes that take a file. */
type UploadRoute = keyof typeof uploadRoutes

interface UploadOptions {
  onProgress: (sentBytes: number) => void
  signal: AbortSignal
}

/** Calls the server well within the idle limit of a session, because a large upload may take longer than that. */
const keepAliveMilliseconds = 5 * 60 * 1000

/**
 * Sends a file in the form field `file`.
 * @throws {ProblemError} if the server refuses, TypeError if the connection is lost, AbortError after a cancel
 */
async function uploadFile<Name extends UploadRoute>(
  name: Name,
  file: File,
  options: UploadOptions,
): Promise<Answer<Name>['body']> {
  const route: Route = uploadRoutes[name]
  const authorization = `Bearer ${readToken()}`
  const timer = setInterval(() => void client.call('checkSession', {}).catch(() => undefined), keepAliveMilliseconds)
  try {
    const response = await post(route, authorization, file, options)
    noteAnswer(response, authorization)
    if (!response.ok) throw await problemOf(response)
    return z.decode(route.answers[200] as z.ZodType, await response.json()) as Answer<Name>['body']
  } finally {
    clearInterval(timer)
  }
}

/** Whether sending the same file again may succeed: the connection was lost, or the server failed or was busy. */
function uploadMayBeRepeated(error: unknown): boolean {
  return error instanceof ProblemError ? error.problem.status >= 500 || error.problem.status === 429 : true
}

/** Uses XMLHttpRequest, because fetch reports no upload progress. */
function post(route: Route, authorization: string, file: File, { onProgress, signal }: UploadOptions) {
  return new Promise<Response>((resolve, reject) => {
    const request = new XMLHttpRequest()
    const cancel = () => request.abort()
    request.upload.onprogress = ({ loaded }) => onProgress(Math.min(loaded, file.size))
    request.onload = () => resolve(responseOf(request))
    request.onerror = () => reject(new TypeError('The connection was lost.'))
    request.onabort = () => reject(new DOMException('The upload was cancelled.', 'AbortError'))
    request.onloadend = () => signal.removeEventListener('abort', cancel)
    signal.addEventListener('abort', cancel)
    request.open(route.method, `.${route.path}`)
    request.setRequestHeader('authorization', authorization)
    request.setRequestHeader('traceparent', newTrace())
    const form = new FormData()
    form.append('file', file)
    request.send(form)
  })
}

function responseOf({ responseText, status, statusText }: XMLHttpRequest): Response {
  return new Response(responseText, { status, statusText })
}
