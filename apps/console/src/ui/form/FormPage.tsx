import { useHotkeys } from '@mantine/hooks'
import { useLeaveGuard } from '../dialog/confirm.tsx'
import { Form, type FormProps } from './Form.tsx'

interface FormPageProps<Values extends object> extends FormProps<Values> {
  /** The words of the question before entries are left behind. */
  leave: { title: string; text: string; stay: string; leave: string }
  /** Another part of the page may be in front. */
  isShown?: boolean
}

/** The form that a page is about: Ctrl or ⌘ with Enter submits it from anywhere, and leaving the page asks first. */
export function FormPage<Values extends object>({ leave, isShown = true, ...rest }: FormPageProps<Values>) {
  const { form } = rest
  useHotkeys([['mod+Enter', () => isShown && form.submit()]], [], true)
  useLeaveGuard({ isNeeded: form.isUnsaved, ...leave })
  return <Form {...rest} />
}
