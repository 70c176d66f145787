import type { Answer } from '@roomkeeper/contract'
import { useCallback } from 'react'
import { textOf } from '#api/text-of-error.ts'
import { type UploadOptions, type UploadRoute, uploadFile, uploadMayBeRepeated } from '#api/upload.ts'
import { UploadBox, type UploadBoxProps } from '#ui/upload/UploadBox.tsx'

type Uploaded<Name extends UploadRoute> = Answer<Name>['body']

type FileUploadProps<Name extends UploadRoute> = Omit<
  UploadBoxProps<Uploaded<Name>>,
  'send' | 'textOf' | 'mayRepeat'
> & {
  route: Name
  /** Why what the server took is of no use here, or null. Stable. */
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

/** The server took the file, but it is not what is needed here; the message says why, in the operator's language. */
class UnfitUpload extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'UnfitUpload'
  }
}
