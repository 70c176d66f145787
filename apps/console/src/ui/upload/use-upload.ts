import { useEffect, useEffectEvent, useRef, useState } from 'react'

/** idle → sending → checking → done or failed; a cancelled upload is idle again. */
export type Upload =
  | { phase: 'idle' }
  | { phase: 'sending'; file: File; sentBytes: number; bytesPerSecond: number | null }
  /** All bytes are sent; the server checks the file. */
  | { phase: 'checking'; file: File }
  | { phase: 'done'; file: File }
  | { phase: 'failed'; file: File; error: unknown }

/** Sends a file. @throws AbortError after a cancel, another error if it failed */
export type Send<Answer> = (
  file: File,
  options: { onProgress: (sentBytes: number) => void; signal: AbortSignal },
) => Promise<Answer>

export interface UploadListeners<Answer> {
  /** Called when another upload starts, or another file is not taken, so that the previous one no longer counts. */
  onStarted?: (() => void) | undefined
  onUploaded: (answer: Answer, file: File) => void
  onFailed?: ((error: unknown) => void) | undefined
  /** Called with true when an upload starts, and with false when it has ended in any way. */
  onBusy?: ((isBusy: boolean) => void) | undefined
}

/** One upload at a time. It is cancelled when the component is unmounted. */
export function useUpload<Answer>(send: Send<Answer>, listeners: UploadListeners<Answer>, uploaded?: File) {
  const [upload, setUpload] = useState<Upload>(
    uploaded === undefined ? { phase: 'idle' } : { phase: 'done', file: uploaded },
  )
  const running = useRef<AbortController | null>(null)
  const notify = useEffectEvent((report: (to: UploadListeners<Answer>) => void) => report(listeners))
  useEffect(() => () => running.current?.abort(), [])

  const start = async (file: File) => {
    running.current?.abort()
    const cancel = new AbortController()
    running.current = cancel
    const rate = createTransferRate()
    setUpload({ phase: 'sending', file, sentBytes: 0, bytesPerSecond: null })
    listeners.onStarted?.()
    listeners.onBusy?.(true)
    const onProgress = (sentBytes: number) => {
      if (cancel.signal.aborted) return
      const isSent = sentBytes >= file.size
      setUpload(
        isSent
          ? { phase: 'checking', file }
          : { phase: 'sending', file, sentBytes, bytesPerSecond: rate.note(sentBytes) },
      )
    }
    try {
      const answer = await send(file, { onProgress, signal: cancel.signal })
      if (cancel.signal.aborted) return
      setUpload({ phase: 'done', file })
      notify(({ onUploaded, onBusy }) => {
        onUploaded(answer, file)
        onBusy?.(false)
      })
    } catch (error) {
      if (cancel.signal.aborted) return
      setUpload({ phase: 'failed', file, error })
      notify(({ onFailed, onBusy }) => {
        onFailed?.(error)
        onBusy?.(false)
      })
    }
  }
  return {
    upload,
    start: (file: File) => void start(file),
    cancel: () => {
      running.current?.abort()
      setUpload({ phase: 'idle' })
      listeners.onBusy?.(false)
    },
    /** What failed is told no longer, here and by the page, because another file was chosen. */
    forgetFailure: () => {
      if (upload.phase !== 'failed' && upload.phase !== 'idle') return
      setUpload({ phase: 'idle' })
      listeners.onStarted?.()
    },
  }
}

/** The transfer rate is an average over this time, so that it does not jump. */
const windowMilliseconds = 5_000

interface TransferRate {
  /** Records how many bytes have been sent so far. @returns bytes per second, or null while unknown */
  note(sentBytes: number, now?: number): number | null
}

export function createTransferRate(startedAt = Date.now()): TransferRate {
  let samples = [{ at: startedAt, sent: 0 }]
  return {
    note(sentBytes, now = Date.now()) {
      samples.push({ at: now, sent: sentBytes })
      // Keep the last sample before the window, so that the whole window is covered.
      const first = samples.findLastIndex(({ at }) => at <= now - windowMilliseconds)
      samples = samples.slice(Math.max(0, first))
      const [oldest] = samples
      if (oldest === undefined || now <= oldest.at) return null
      return ((sentBytes - oldest.sent) * 1000) / (now - oldest.at)
    },
  }
}
