/**
 * `Value`. It compiles only where nothing is missing: `Missing` is a sentence for each thing that is, which the compiler
 * then prints: Type '"limits.new: no fault must violate it"' does not satisfy the constraint 'never'.
 */
export type Complete<Value, Missing extends never> = [Missing] extends [never] ? Value : Value;
