# One place for what every target of ours gets: the language level, the warnings, the sanitizer.

if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
  set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
  if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
  endif()
endif()

add_library(hemlock_house_rules INTERFACE)
target_compile_features(hemlock_house_rules INTERFACE cxx_std_20)
target_compile_options(
  hemlock_house_rules
  INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror
            $<$<CXX_COMPILER_ID:Clang>:-Wthread-safety>)
if(HEMLOCK_SANITIZE)
  # Line numbers are all that a report needs, and what is checked is not how fast it is.
  target_compile_options(hemlock_house_rules INTERFACE -fsanitize=${HEMLOCK_SANITIZE} -fno-omit-frame-pointer
                                                       $<$<CONFIG:RelWithDebInfo>:-O1 -g1>)
  target_link_options(hemlock_house_rules INTERFACE -fsanitize=${HEMLOCK_SANITIZE})
  if(HEMLOCK_SANITIZE MATCHES "undefined")
    target_compile_options(hemlock_house_rules INTERFACE -fno-sanitize-recover=undefined)
  endif()
endif()

# hemlock_builds_quickly(<target>...): for code whose speed nobody feels. Command lines and JSON are long to optimise and
# longer to describe to a debugger: this halves their compilation.
function(hemlock_builds_quickly)
  foreach(target IN LISTS ARGN)
    target_compile_options(${target} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O1 -g1>)
  endforeach()
endfunction()

# hemlock_unanalysed(<source>...): locks here and unlocks there, or makes mistakes on purpose. clang's thread-safety
# analysis is for programs that do not. A source's options come after those of the target.
function(hemlock_unanalysed)
  set_property(
    SOURCE ${ARGN}
    APPEND
    PROPERTY COMPILE_OPTIONS "$<$<CXX_COMPILER_ID:Clang>:-Wno-thread-safety-analysis>")
endfunction()

# hemlock_library(<name> SOURCES ... LINKS ...): a folder's static library. `hemlock_<folder>`.
function(hemlock_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${name} PUBLIC hemlock_headers ${ARG_LINKS} PRIVATE hemlock_house_rules)
endfunction()

# hemlock_test(<name> [UNANALYSED] [TIMEOUT seconds] SOURCES ... LINKS ...): a GoogleTest program, one CTest entry.
# Every test program has a timeout: a lock that hangs must fail, not stall the run.
function(hemlock_test name)
  cmake_parse_arguments(ARG "UNANALYSED" "TIMEOUT" "SOURCES;LINKS" ${ARGN})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  if(ARG_UNANALYSED)
    hemlock_unanalysed(${ARG_SOURCES})
  endif()
  add_executable(${name} ${ARG_SOURCES})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${name} PRIVATE hemlock_headers hemlock_house_rules GTest::gtest_main ${ARG_LINKS})
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS "${hemlock_test_label}")
endfunction()
