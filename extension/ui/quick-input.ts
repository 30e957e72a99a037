import * as vscode from 'vscode';
import { UserCancelledError } from '../model/errors';
import { BACK, type StepFrame } from './steps';

interface InputOptions {
  title: string;
  frame?: StepFrame;
}

export interface TextOptions extends InputOptions {
  value: string;
  prompt: string;
  placeholder?: string;
  password?: boolean;
  /** Shown at once, for example why the service refused the value. */
  error?: string | undefined;
  /** Describes what is wrong with a value; undefined for a valid one. */
  validate: (value: string) => string | undefined;
}

export type PickItem<T> = vscode.QuickPickItem & { value: T };

export interface PickOptions<T> extends InputOptions {
  placeholder: string;
  items: Promise<readonly (PickItem<T> | (vscode.QuickPickItem & { value?: never }))[]>;
  /** Selects the initially active item. */
  isActive?: (value: T) => boolean;
}

/** The user pressed the button of a text input. */
export interface Pressed {
  /** What was typed by then, which may be invalid. */
  readonly typed: string;
}

/** Asks for a line of text. @throws UserCancelledError */
export async function askText(options: TextOptions): Promise<string | typeof BACK> {
  const entered = await askTextOrPress(options);
  // There is no button.
  return typeof entered === 'object' ? BACK : entered;
}

/** Asks for a line of text. @param more a button beside it @throws UserCancelledError */
export async function askTextOrPress(
  options: TextOptions,
  more?: vscode.QuickInputButton,
): Promise<string | typeof BACK | Pressed> {
  const input = vscode.window.createInputBox();
  input.value = options.value;
  input.prompt = options.prompt;
  input.placeholder = options.placeholder;
  input.password = options.password ?? false;
  input.validationMessage = options.error;
  const accepted = new Promise<string | Pressed>((resolve) => {
    input.onDidTriggerButton((button) => {
      if (button !== vscode.QuickInputButtons.Back) resolve({ typed: input.value });
    });
    input.onDidChangeValue((value) => {
      // An empty field shows no error before the user types.
      input.validationMessage = value === '' ? undefined : options.validate(value);
    });
    input.onDidAccept(() => {
      const message = options.validate(input.value);
      input.validationMessage = message;
      if (message === undefined) resolve(input.value);
    });
  });
  return settle(input, options, accepted, more === undefined ? [] : [more]);
}

/** Asks for one of several items, which may load slowly. @throws UserCancelledError */
export async function askPick<T>(options: PickOptions<T>): Promise<PickItem<T> | typeof BACK> {
  const input = vscode.window.createQuickPick();
  input.placeholder = options.placeholder;
  input.matchOnDescription = true;
  input.matchOnDetail = true;
  input.busy = true;
  const accepted = new Promise<PickItem<T>>((resolve, reject) => {
    input.onDidAccept(() => {
      const [item] = input.selectedItems;
      if (item !== undefined && 'value' in item) resolve(item as PickItem<T>);
    });
    options.items.then((items) => {
      input.items = items;
      const active = items.find(
        (item): item is PickItem<T> => 'value' in item && options.isActive?.(item.value) === true,
      );
      if (active !== undefined) input.activeItems = [active];
      input.busy = false;
    }, reject);
  });
  return settle(input, options, accepted);
}

/** Asks for an item outside a sequence of steps. @throws UserCancelledError */
export async function pick<T>(options: Omit<PickOptions<T>, 'frame'>): Promise<PickItem<T>> {
  const picked = await askPick(options);
  if (picked === BACK) throw new UserCancelledError();
  return picked;
}

/** Asks for a text outside a sequence of steps. @throws UserCancelledError */
export async function enterText(options: Omit<TextOptions, 'frame'>): Promise<string> {
  const text = await askText(options);
  if (text === BACK) throw new UserCancelledError();
  return text;
}

async function settle<T>(
  input: vscode.InputBox | vscode.QuickPick<vscode.QuickPickItem>,
  { title, frame }: InputOptions,
  accepted: Promise<T>,
  more: readonly vscode.QuickInputButton[] = [],
): Promise<T | typeof BACK> {
  input.title = title;
  // Users often copy the value from another window first.
  input.ignoreFocusOut = true;
  input.step = frame?.step;
  input.totalSteps = frame?.totalSteps;
  input.buttons = [...(frame?.canGoBack === true ? [vscode.QuickInputButtons.Back] : []), ...more];
  const left = new Promise<typeof BACK>((resolve, reject) => {
    input.onDidTriggerButton((button) => {
      if (button === vscode.QuickInputButtons.Back) resolve(BACK);
    });
    input.onDidHide(() => {
      reject(new UserCancelledError());
    });
  });
  try {
    input.show();
    return await Promise.race([accepted, left]);
  } finally {
    input.dispose();
  }
}
