import { Input } from '@mantine/core'
import { RichTextEditor } from '@mantine/tiptap'
import '@mantine/tiptap/styles.layer.css'
import { Link } from '@tiptap/extension-link'
import { useEditor } from '@tiptap/react'
import { StarterKit } from '@tiptap/starter-kit'
import { useEffect, useEffectEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useField, useFormContext } from '../form/resource-form.ts'
import classes from './RichTextField.module.css'

interface RichTextFieldProps {
  /** The path of a form field that holds HTML; the field is empty if the HTML has no text. */
  name: string
  label: string
}

/** @param onLink called with the address that is no link of ours, or with null when a link was set */
function extensionsWith(onLink: (refused: string | null) => void) {
  // The extension refuses an address without a word.
  const LinkOrWhyNot = Link.extend({
    addCommands() {
      const commands = this.parent?.() ?? {}
      return {
        ...commands,
        setLink: (attributes) => (props) => {
          const href = addressOf(attributes.href)
          onLink(href === null ? attributes.href : null)
          return href !== null && (commands.setLink?.({ ...attributes, href })(props) ?? false)
        },
      }
    },
  })
  return [
    // Replaced by the link extension.
    StarterKit.configure({ link: false }),
    LinkOrWhyNot.configure({ openOnClick: false, defaultProtocol: 'https', protocols: ['mailto'] }),
  ]
}

/** The address as the server takes it, with `https://` where there is no scheme; null if the server refuses it. */
function addressOf(typed: string): string | null {
  const href = typed.trim()
  if (/^(https?:\/\/|mailto:)/i.test(href)) return href
  return /^[^\s/:?#@]+\.[^\s:@]+$/.test(href) ? `https://${href}` : null
}

/**
 * A text with emphasis, headings, lists and links. It is large: load it on demand. It starts with the form's value;
 * change its `key` to start again.
 */
export function RichTextField({ name, label }: RichTextFieldProps) {
  const { t } = useTranslation('rich-text')
  const id = useId()
  const { value, set, input } = useField<string>(name)
  const [refusedLink, setRefusedLink] = useState<string | null>(null)
  const error = refusedLink === null ? (input.error ?? null) : t('linkRefused', { link: refusedLink })
  const [extensions] = useState(() => extensionsWith(setRefusedLink))
  const report = useEffectEvent(set)
  const reportBlur = useEffectEvent(input.onBlur)
  const open = useEffectEvent(useOpening())
  const editor = useEditor({
    extensions,
    content: value,
    shouldRerenderOnTransaction: true,
    onUpdate: ({ editor: changed }) => {
      setRefusedLink(null)
      report(changed.getText().trim() === '' ? '' : changed.getHTML())
    },
    onBlur: () => reportBlur(),
    onCreate: () => open(),
  })
  useEffect(() => {
    const described: Record<string, string> =
      error === null ? {} : { 'aria-invalid': 'true', 'aria-describedby': `${id}-error` }
    const attributes = { role: 'textbox', 'aria-multiline': 'true', 'aria-label': label, ...described }
    editor?.setOptions({ editorProps: { attributes: { ...attributes, 'aria-required': 'true' } } })
  }, [editor, label, error, id])
  return (
    <Input.Wrapper
      label={label}
      labelElement="div"
      withAsterisk
      error={error}
      errorProps={{ id: `${id}-error` }}
      onClick={(event) => {
        if (event.target instanceof HTMLElement && event.target.closest('[class*=label]') !== null)
          editor?.commands.focus()
      }}
    >
      <RichTextEditor
        editor={editor}
        className={classes.root}
        data-error={error !== null || undefined}
        labels={t('labels', { returnObjects: true })}
      >
        <Toolbar />
        <RichTextEditor.Content data-path={name} />
      </RichTextEditor>
    </Input.Wrapper>
  )
}

/** The editor is loaded after its form has opened. @returns a function that gives it the focus if it is the first field */
function useOpening(): () => void {
  const { isUnsaved, focusFirst } = useFormContext()
  return () => {
    if (!isUnsaved()) focusFirst()
  }
}

function Toolbar() {
  return (
    <RichTextEditor.Toolbar>
      <RichTextEditor.ControlsGroup>
        <RichTextEditor.Bold />
        <RichTextEditor.Italic />
        <RichTextEditor.Underline />
        <RichTextEditor.Strikethrough />
        <RichTextEditor.ClearFormatting />
      </RichTextEditor.ControlsGroup>
      <RichTextEditor.ControlsGroup>
        <RichTextEditor.H2 />
        <RichTextEditor.H3 />
        <RichTextEditor.BulletList />
        <RichTextEditor.OrderedList />
        <RichTextEditor.Blockquote />
      </RichTextEditor.ControlsGroup>
      <RichTextEditor.ControlsGroup>
        <RichTextEditor.Link />
        <RichTextEditor.Unlink />
      </RichTextEditor.ControlsGroup>
      <RichTextEditor.ControlsGroup>
        <RichTextEditor.Undo />
        <RichTextEditor.Redo />
      </RichTextEditor.ControlsGroup>
    </RichTextEditor.Toolbar>
  )
}
